// Who moves what: keys, sticks and pedals for the roles that machines have.
//
// Excavators come in two patterns. ISO 10968: left lever stick and swing, right lever boom and bucket. SAE J1814: boom
// and stick change places. Loaders, bulldozers and tippers have one pattern each.

import type { Control } from "../wire";

export const SCHEMES = ["iso", "sae"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** What hands and feet hold: levers pushed away and to the right are positive. */
export const LEVERS = ["leftX", "leftY", "rightX", "rightY", "drive", "trackLeft", "trackRight", "brake"] as const;
export type Lever = (typeof LEVERS)[number];

export const LEVER_NAMES: Record<Lever, string> = {
  leftX: "left stick ↔",
  leftY: "left stick ↕",
  rightX: "right stick ↔",
  rightY: "right stick ↕",
  drive: "drive pedals",
  trackLeft: "left pedal",
  trackRight: "right pedal",
  brake: "brake pedal",
};

export interface Assignment {
  control: Control;
  /** Keys for plus and minus; the second may be missing. */
  keys: [plus: string, minus: string] | [plus: string] | null;
  lever: Lever | null;
  /** A screen has no pedals; there another lever does it. */
  touch: Lever | null;
  /** Of the lever's value. */
  sign: 1 | -1;
}

type Rule = Omit<Assignment, "control">;

const rule = (keys: Rule["keys"], lever: Lever, sign: 1 | -1, touch: Lever | null = lever): Rule => ({ keys, lever, sign, touch });

function rulesOf(scheme: Scheme): Record<string, Rule> {
  // A lever pulled back draws the stick in.
  const upper = rule(["s", "w"], "leftY", -1);
  const sae = scheme === "sae";
  return {
    throttle: rule(["w", "s"], "drive", 1, "leftY"),
    steer: rule(["a", "d"], "leftX", -1),
    brake: rule(["b"], "brake", 1, null),
    // A lever pulled back lifts.
    lift: rule(["arrowup", "arrowdown"], "rightY", -1),
    tilt: rule(["arrowleft", "arrowright"], "rightX", -1),
    swing: rule(["a", "d"], "leftX", -1),
    stick: sae ? rule(["arrowdown", "arrowup"], "rightY", -1) : upper,
    boom: sae ? rule(["w", "s"], "leftY", -1) : rule(["arrowup", "arrowdown"], "rightY", -1),
    bucket: rule(["arrowleft", "arrowright"], "rightX", -1),
    left_track: rule(["q", "z"], "trackLeft", 1, null),
    right_track: rule(["e", "x"], "trackRight", 1, null),
    blade_lift: rule(["arrowup", "arrowdown"], "rightY", -1),
    blade_tilt: rule(["arrowright", "arrowleft"], "rightX", 1),
    blade_angle: rule(["a", "d"], "leftX", -1),
    tip: rule(["arrowup", "arrowdown"], "rightY", -1),
  };
}

/** For roles that nobody has thought of, in this order. */
const SPARE_LEVERS: Lever[] = ["leftY", "leftX", "rightY", "rightX", "trackLeft", "trackRight"];
const SPARE_KEYS: [string, string][] = [
  ["w", "s"], ["d", "a"], ["arrowup", "arrowdown"], ["arrowright", "arrowleft"], ["q", "z"], ["e", "x"], ["u", "j"], ["o", "l"], ["y", "n"],
];

/** Keys and levers for the controls of one machine and for those that belong to none. */
export function assign(controls: Control[], machine: number, scheme: Scheme): Assignment[] {
  const rules = rulesOf(scheme);
  const made: Assignment[] = [];
  const usedKeys = new Set<string>();
  const usedLevers = new Set<Lever>();
  const unknown: Control[] = [];
  for (const control of controls) {
    if (control.machine >= 0 && control.machine !== machine) continue;
    const found = rules[control.role];
    const taken = found === undefined || found.keys?.some((key) => usedKeys.has(key));
    if (found === undefined || taken) {
      unknown.push(control);
      continue;
    }
    found.keys?.forEach((key) => usedKeys.add(key));
    for (const lever of [found.lever, found.touch]) if (lever !== null) usedLevers.add(lever);
    made.push({ control, ...found });
  }
  for (const control of unknown) {
    const keys = SPARE_KEYS.find((pair) => !pair.some((key) => usedKeys.has(key))) ?? null;
    keys?.forEach((key) => usedKeys.add(key));
    const lever = SPARE_LEVERS.find((one) => !usedLevers.has(one)) ?? null;
    if (lever !== null) usedLevers.add(lever);
    made.push({ control, keys, lever, touch: lever?.startsWith("track") ? null : lever, sign: 1 });
  }
  return made;
}

/** Whether the two patterns differ for these controls. */
export function schemeMatters(controls: Control[]): boolean {
  const roles = new Set(controls.map((control) => control.role));
  return roles.has("boom") && roles.has("stick");
}

const KEY_NAMES: Record<string, string> = { arrowup: "↑", arrowdown: "↓", arrowleft: "←", arrowright: "→" };

export function keyName(key: string): string {
  return KEY_NAMES[key] ?? key.toUpperCase();
}
