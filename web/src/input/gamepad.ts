// Game controllers and joysticks: which axis or button is which lever, and how its numbers become −1 to 1.

import { LEVERS, type Lever } from "./schemes";

/** The part of a browser's gamepad that is read. */
export interface Pad {
  index: number;
  id: string;
  connected: boolean;
  mapping: string;
  axes: readonly number[];
  buttons: readonly { value: number; pressed?: boolean }[];
}

/** An axis, or two buttons that work against each other (the second may be missing). */
export type Source =
  | { kind: "axis"; pad: number; index: number }
  | { kind: "buttons"; pad: number; plus: number; minus: number | null };

/** How raw numbers of an axis become a lever's. */
export interface Shape {
  low: number;
  centre: number;
  high: number;
  /** Share of the way around the centre that counts as rest. */
  dead: number;
  /** 0: straight; 1: cubic, finer around the centre. */
  curve: number;
  invert: boolean;
}

export interface Binding {
  source: Source;
  shape: Shape;
}

export type Bindings = Partial<Record<Lever, Binding>>;

export const STRAIGHT: Shape = { low: -1, centre: 0, high: 1, dead: 0.1, curve: 0.3, invert: false };

export function shaped(raw: number, shape: Shape): number {
  if (!Number.isFinite(raw)) return 0;
  const side = raw >= shape.centre ? shape.high - shape.centre : shape.centre - shape.low;
  const share = side > 1e-6 ? Math.min(Math.abs(raw - shape.centre) / side, 1) : 0;
  const free = Math.max((share - shape.dead) / Math.max(1 - shape.dead, 1e-6), 0);
  const bent = (1 - shape.curve) * free + shape.curve * free ** 3;
  const value = raw >= shape.centre ? bent : -bent;
  return bent === 0 ? 0 : shape.invert ? -value : value;
}

/** Sensible levers for what is plugged in: one pad with two sticks, or two joysticks side by side. */
export function defaultBindings(pads: Pad[]): Bindings {
  const first = pads[0];
  if (first === undefined) return {};
  const axis = (pad: Pad, index: number, invert: boolean): Binding => ({
    source: { kind: "axis", pad: pad.index, index }, shape: { ...STRAIGHT, invert },
  });
  const buttons = (plus: number, minus: number | null): Binding => ({
    source: { kind: "buttons", pad: first.index, plus, minus }, shape: { ...STRAIGHT, dead: 0.04, curve: 0 },
  });
  // Browsers count an axis that is pushed away as negative.
  const second = pads[1];
  const together = first.mapping === "standard" || second === undefined;
  const right = together ? { pad: first, x: 2, y: 3 } : { pad: second, x: 0, y: 1 };
  const made: Bindings = {
    leftX: axis(first, 0, false),
    leftY: axis(first, 1, true),
    rightX: axis(right.pad, right.x, false),
    rightY: axis(right.pad, right.y, true),
  };
  if (first.mapping === "standard") {
    made.drive = buttons(7, 6);
    made.brake = buttons(1, null);
    made.trackLeft = buttons(6, 4);
    made.trackRight = buttons(7, 5);
  } else {
    made.drive = axis(first, 1, true);
    made.brake = buttons(0, null);
  }
  return made;
}

export function rawOf(source: Source, pads: Pad[]): number {
  const pad = pads.find((one) => one.index === source.pad);
  if (pad === undefined) return 0;
  if (source.kind === "axis") return pad.axes[source.index] ?? 0;
  const pressed = (index: number | null): number => (index === null ? 0 : (pad.buttons[index]?.value ?? 0));
  return pressed(source.plus) - pressed(source.minus);
}

/** All levers as the pads have them now. */
export function readLevers(pads: Pad[], bindings: Bindings): Partial<Record<Lever, number>> {
  const values: Partial<Record<Lever, number>> = {};
  for (const lever of LEVERS) {
    const binding = bindings[lever];
    if (binding !== undefined) values[lever] = shaped(rawOf(binding.source, pads), binding.shape);
  }
  return values;
}

/** Finds the axis or button that was moved most since `rest`, if it was clearly moved. */
export function movedMost(rest: Pad[], now: Pad[]): Source | null {
  let best: Source | null = null;
  let most = 0.5;
  for (const pad of now) {
    const before = rest.find((one) => one.index === pad.index);
    if (before === undefined) continue;
    pad.axes.forEach((value, index) => {
      const way = Math.abs(value - (before.axes[index] ?? 0));
      if (way > most) [best, most] = [{ kind: "axis", pad: pad.index, index }, way];
    });
    pad.buttons.forEach((button, index) => {
      const way = Math.abs(button.value - (before.buttons[index]?.value ?? 0));
      if (way > most) [best, most] = [{ kind: "buttons", pad: pad.index, plus: index, minus: null }, way];
    });
  }
  return best;
}

/** Learns ends and centre of an axis while it is moved all the way. */
export class Calibration {
  private readonly centre: number;
  private low: number;
  private high: number;

  constructor(start: number) {
    this.centre = this.low = this.high = start;
  }

  see(raw: number): void {
    this.low = Math.min(this.low, raw);
    this.high = Math.max(this.high, raw);
  }

  /** The shape with what was learnt; sides that were hardly moved keep what they had. */
  finish(shape: Shape): Shape {
    const least = 0.2;
    return {
      ...shape,
      centre: this.centre,
      low: this.centre - this.low > least ? this.low : Math.min(shape.low, this.centre - least),
      high: this.high - this.centre > least ? this.high : Math.max(shape.high, this.centre + least),
    };
  }
}

/** A copy that does not change when the pad does. */
export function copied(pad: Pad): Pad {
  return {
    index: pad.index, id: pad.id, connected: pad.connected, mapping: pad.mapping,
    axes: [...pad.axes], buttons: pad.buttons.map((button) => ({ value: button.value })),
  };
}

/** Bindings as text and back; null for text of another kind. */
export function parseBindings(text: string | null): Bindings | null {
  if (text === null) return null;
  try {
    const read = JSON.parse(text) as Bindings;
    const good = Object.entries(read).every(
      ([lever, binding]) =>
        (LEVERS as readonly string[]).includes(lever) &&
        ["axis", "buttons"].includes(binding.source.kind) &&
        [binding.shape.low, binding.shape.centre, binding.shape.high, binding.shape.dead, binding.shape.curve].every(Number.isFinite),
    );
    return good ? read : null;
  } catch {
    return null;
  }
}
