// From hands to messages: levers, keys, pads.

import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { padOf } from "../src/glasses";
import { Calibration, defaultBindings, movedMost, parseBindings, rawOf, readLevers, shaped, STRAIGHT, type Pad } from "../src/input/gamepad";
import { Operator, type Values } from "../src/input/operator";
import { assign, keyName, schemeMatters } from "../src/input/schemes";
import { directionWord, stickAt } from "../src/input/sticks";
import type { Control } from "../src/wire";

const control = (role: string, machine = 0, low = -1): Control => ({ name: role, role, text: "", low, high: 1, machine });
const LOADER = [control("throttle"), control("brake", 0, 0), control("steer"), control("lift"), control("tilt")];
const EXCAVATOR = ["swing", "boom", "stick", "bucket", "left_track", "right_track"].map((role) => control(role));

const pad = (axes: number[] = [0, 0, 0, 0], pressed: Record<number, number> = {}, index = 0, mapping = "standard"): Pad => ({
  index, id: `pad ${index}`, connected: true, mapping, axes,
  buttons: Array.from({ length: 17 }, (_, k) => ({ value: pressed[k] ?? 0 })),
});

describe("patterns of levers", () => {
  const leverOf = (controls: Control[], role: string, scheme: "iso" | "sae"): string => {
    const found = assign(controls, 0, scheme).find((one) => one.control.role === role)!;
    return `${found.sign > 0 ? "+" : "-"}${found.lever}`;
  };

  it("ISO and SAE exchange boom and stick of an excavator", () => {
    expect(["swing", "stick", "boom", "bucket"].map((role) => leverOf(EXCAVATOR, role, "iso"))).toEqual(["-leftX", "-leftY", "-rightY", "-rightX"]);
    expect(["swing", "stick", "boom", "bucket"].map((role) => leverOf(EXCAVATOR, role, "sae"))).toEqual(["-leftX", "-rightY", "-leftY", "-rightX"]);
    expect(schemeMatters(EXCAVATOR)).toBe(true);
  });

  it("are the same for a loader", () => {
    expect(assign(LOADER, 0, "iso")).toEqual(assign(LOADER, 0, "sae"));
    expect(schemeMatters(LOADER)).toBe(false);
  });

  it("give every control keys of its own", () => {
    for (const controls of [LOADER, EXCAVATOR, [...LOADER, control("a new thing"), control("another", -1)]]) {
      const keys = assign(controls, 0, "iso").flatMap((one) => [...(one.keys ?? [])]);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.some((key) => "rkctghp".includes(key))).toBe(false);
    }
  });

  it("leave out other machines", () => {
    const two = [...LOADER, ...LOADER.map((one) => ({ ...one, name: `second ${one.name}`, machine: 1 }))];
    expect(assign(two, 1, "iso").map((one) => one.control.name)).toEqual(LOADER.map((one) => `second ${one.name}`));
  });

  it("are told in words", () => {
    expect(keyName("arrowup")).toBe("↑");
    expect(keyName("w")).toBe("W");
    expect(directionWord("lift", 1)).toBe("raise");
    expect(directionWord("wing_left", -1)).toBe("wing left −");
  });
});

describe("an axis", () => {
  it("rests in its dead zone and reaches its ends", () => {
    const shape = { ...STRAIGHT, dead: 0.2, curve: 0 };
    expect([0, 0.1, -0.19].map((raw) => shaped(raw, shape))).toEqual([0, 0, 0]);
    expect(shaped(1, shape)).toBeCloseTo(1);
    expect(shaped(-1, shape)).toBeCloseTo(-1);
    expect(shaped(0.6, shape)).toBeCloseTo(0.5);
    expect(shaped(5, shape)).toBeCloseTo(1);
    expect(shaped(Number.NaN, shape)).toBe(0);
  });

  it("can be turned round, bent and off centre", () => {
    expect(shaped(1, { ...STRAIGHT, invert: true })).toBeCloseTo(-1);
    expect(shaped(0.5, { ...STRAIGHT, dead: 0, curve: 1 })).toBeCloseTo(0.125);
    const off = { ...STRAIGHT, dead: 0, curve: 0, low: -0.6, centre: 0.2, high: 0.8 };
    expect([-0.6, -0.2, 0.2, 0.5, 0.8].map((raw) => Number(shaped(raw, off).toFixed(6)))).toEqual([-1, -0.5, 0, 0.5, 1]);
  });

  it("rises steadily", () => {
    let before = -Infinity;
    for (let raw = -1; raw <= 1; raw += 0.01) {
      const value = shaped(raw, STRAIGHT);
      expect(value).toBeGreaterThanOrEqual(before);
      before = value;
    }
  });

  it("is calibrated by moving it", () => {
    const calibration = new Calibration(0.05);
    for (const raw of [0.05, 0.7, 0.3, -0.9]) calibration.see(raw);
    expect(calibration.finish(STRAIGHT)).toMatchObject({ low: -0.9, centre: 0.05, high: 0.7 });
    expect(new Calibration(0).finish(STRAIGHT)).toMatchObject({ low: -1, centre: 0, high: 1 });
  });
});

describe("pads", () => {
  it("with two sticks are read as levers that are positive away and right", () => {
    const pads = [pad([0.5, -1, 1, 1], { 7: 1, 6: 0.25 })];
    const levers = readLevers(pads, defaultBindings(pads));
    expect(levers.leftX).toBeGreaterThan(0.2);
    expect(levers.leftY).toBeCloseTo(1);
    expect(levers.rightX).toBeCloseTo(1);
    expect(levers.rightY).toBeCloseTo(-1);
    expect(levers.drive).toBeCloseTo(0.74, 1);
  });

  it("may be two joysticks", () => {
    const pads = [pad([0, 0], {}, 0, ""), pad([1, 0], {}, 3, "")];
    expect(readLevers(pads, defaultBindings(pads))).toMatchObject({ leftX: 0, rightX: 1 });
    expect(defaultBindings([])).toEqual({});
  });

  it("tell which axis or button was moved", () => {
    expect(movedMost([pad()], [pad([0, 0.3, 0.9, 0])])).toEqual({ kind: "axis", pad: 0, index: 2 });
    expect(movedMost([pad()], [pad([0, 0, 0, 0], { 5: 1 })])).toEqual({ kind: "buttons", pad: 0, plus: 5, minus: null });
    expect(movedMost([pad()], [pad([0.2, 0, 0, 0])])).toBeNull();
    expect(rawOf({ kind: "buttons", pad: 0, plus: 1, minus: 2 }, [pad([], { 1: 0.2, 2: 1 })])).toBeCloseTo(-0.8);
  });

  it("are remembered, and nonsense is not", () => {
    const bindings = defaultBindings([pad()]);
    expect(parseBindings(JSON.stringify(bindings))).toEqual(bindings);
    for (const text of [null, "", "{", '{"leftX":{"source":{"kind":"voice"},"shape":{}}}', '{"nose":{}}']) expect(parseBindings(text)).toBeNull();
  });

  it("of a headset are one pad", () => {
    const hand = (handedness: string, axes: number[], trigger: number): { handedness: string; gamepad: Pick<Gamepad, "axes" | "buttons"> } => ({
      handedness, gamepad: { axes, buttons: [{ value: trigger, pressed: false, touched: false }] },
    });
    const both = padOf([hand("left", [0, 0, 0.5, -1], 0), hand("right", [0, 0, 0, 0.25], 1)])!;
    expect(both.axes).toEqual([0.5, -1, 0, 0.25]);
    expect(both.buttons[7]!.value).toBe(1);
    expect(padOf([])).toBeNull();
  });
});

describe("a stick on the screen", () => {
  it("rests in the middle and ends at its rim", () => {
    expect(stickAt(2, 2, 56)).toEqual([0, 0]);
    expect(stickAt(0, -500, 56)).toEqual([0, 1]);
    const [x, y] = stickAt(500, 500, 56);
    expect(x).toBeCloseTo(Math.SQRT1_2);
    expect(y).toBeCloseTo(-Math.SQRT1_2);
    expect(stickAt(5, -56, 56)[0]).toBe(0);
  });
});

describe("the operator", () => {
  let time = 0;
  let said: { values: Values; stamp: number }[] = [];
  let operator: Operator;
  const press = (key: string, down: boolean, more: Partial<KeyboardEvent> = {}): void =>
    operator.key({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, target: null, preventDefault: () => {}, ...more }, down);

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("window", { setTimeout: (...given: Parameters<typeof setTimeout>) => setTimeout(...given) });
    time = 10;
    said = [];
    operator = new Operator((values, stamp) => said.push({ values, stamp }), () => time);
    operator.build(LOADER);
    operator.steers = true;
  });

  it("sends a key at once, and its release", () => {
    press("w", true);
    expect(said).toHaveLength(1);
    expect(said[0]!.values).toMatchObject({ throttle: 1, steer: 0 });
    press("W", true);
    expect(said).toHaveLength(1);
    press("w", false);
    expect(said[1]!.values["throttle"]).toBe(0);
    expect(said[1]!.stamp).toBeGreaterThan(said[0]!.stamp);
  });

  it("moves what the keys say", () => {
    for (const [key, name, value] of [["a", "steer", 1], ["d", "steer", -1], ["ArrowUp", "lift", 1], ["ArrowLeft", "tilt", 1], ["b", "brake", 1]] as const) {
      press(key, true);
      expect(said.at(-1)!.values[name]).toBe(value);
      press(key, false);
    }
    press("w", true, { shiftKey: true });
    expect(said.at(-1)!.values["throttle"]).toBeCloseTo(0.35);
  });

  it("says nothing while somebody else steers, or for keys that are not its own", () => {
    press("r", true);
    operator.steers = false;
    press("w", true);
    expect(said).toEqual([]);
  });

  it("lets go when the window loses the keyboard", () => {
    press("w", true);
    operator.letGo();
    expect(said.at(-1)!.values["throttle"]).toBe(0);
  });

  it("obeys the controllers of a headset beside a pad that is set up in another way", () => {
    operator.bindings = { drive: { source: { kind: "axis", pad: 0, index: 1 }, shape: STRAIGHT } };
    operator.poll([pad([0, 0.4, 0, 0])], pad([0, 0, -1, 1], {}, 90));
    expect(said.at(-1)!.values).toMatchObject({ tilt: 1, lift: 1 });
    expect(said.at(-1)!.values["throttle"]).toBeGreaterThan(0.1);
    expect(operator.pads).toHaveLength(1);
  });

  it("takes the strongest of key, pad, stick and slider, within the control's range", () => {
    operator.poll([pad([0, 0, 0, 0.5], { 7: 1 })]);
    expect(said.at(-1)!.values["throttle"]).toBeCloseTo(1);
    expect(said.at(-1)!.values["lift"]).toBeGreaterThan(0.2);
    time += 1;
    operator.touch({ rightY: -1 });
    expect(said.at(-1)!.values["lift"]).toBe(1);
    operator.slide("brake", -1);
    expect(operator.values()["brake"]).toBe(0);
    operator.slide("brake", 0.4);
    expect(said.at(-1)!.values["brake"]).toBeCloseTo(0.4);
  });

  it("does not flood the server with a drifting axis, but sends its last value", () => {
    for (let k = 1; k <= 50; k++) {
      time += 0.002;
      operator.poll([pad([0.5 + 0.009 * k, 0, 0, 0])]);
    }
    expect(said.length).toBeLessThanOrEqual(7);
    time += 0.1;
    vi.advanceTimersByTime(100);
    expect(said.at(-1)!.values["steer"]).toBeCloseTo(operator.values()["steer"]!, 2);
  });

  it("measures how long it takes until a frame obeys", () => {
    expect(operator.delay).toBeNull();
    press("w", true);
    time += 0.03;
    operator.obeyed(said[0]!.stamp - 1);
    time += 0.01;
    operator.obeyed(said[0]!.stamp);
    expect(operator.delay).toBeCloseTo(40);
  });

  it("says what the server understands", () => {
    const folder = new URL("../../tests/view/wire/", import.meta.url);
    const { good } = JSON.parse(readFileSync(new URL("messages.json", folder), "utf-8")) as { good: { type: string }[] };
    const known = good.find((message) => message.type === "control" && "stamp" in message) as unknown as { values: Values; stamp: number };
    press("w", true);
    const made = { type: "control", ...said[0]! };
    expect(Object.keys(made).sort()).toEqual(Object.keys({ ...known }).sort());
    for (const value of Object.values(made.values)) expect(Math.abs(value)).toBeLessThanOrEqual(1);
  });
});
