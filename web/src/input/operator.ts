// The operator's hands: keys, sticks on the screen, sliders and pads become the values of the scene's controls. A
// change is sent at once; while anything is held it is repeated, so that the server can tell a held lever from a lost page.

import { copied, defaultBindings, parseBindings, readLevers, type Bindings, type Pad } from "./gamepad";
import { assign, SCHEMES, type Assignment, type Lever, type Scheme } from "./schemes";
import type { Control } from "../wire";
import { keep, kept } from "../storage";

const REPEAT = 0.2; // s
const SHORTEST_GAP = 0.02; // s between two messages of axes that drift; keys are sent at once
const POLL_HELD = 10; // ms between looks at the pads
const POLL_NONE = 300; // ms when there is none
const GENTLE = 0.35; // of a lever's way, with shift
const SMALLEST_CHANGE = 0.005;
const REMEMBERED = 9;

export type Values = Record<string, number>;

export class Operator {
  assignments: Assignment[] = [];
  /** What was sent last. */
  sent: Values = {};
  /** Whether this page may steer. */
  steers = false;
  /** While pads are set up, they move nothing. */
  resting: () => boolean = () => false;
  scheme: Scheme;
  bindings: Bindings | null;
  pads: Pad[] = [];
  /** The controllers of a headset: no browser lists them with the pads, and they are never set up otherwise. */
  headset: () => Pad | null = () => null;
  /** Called when assignments or pads change. */
  onChange: () => void = () => {};
  private controls: Control[] = [];
  private machine = 0;
  private readonly keys = new Set<string>();
  private gentle = false;
  private readonly screen: Partial<Record<Lever, number>> = {};
  private readonly sliders: Values = {};
  private levers: Partial<Record<Lever, number>> = {};
  private lastSent = -Infinity;
  private later: number | undefined;
  private stamp = 0;
  private waiting: { stamp: number; at: number } | null = null;
  private readonly delays: number[] = [];

  constructor(
    private readonly send: (values: Values, stamp: number) => void,
    private readonly now: () => number = () => performance.now() / 1000,
  ) {
    const scheme = kept("windrow.scheme");
    this.scheme = SCHEMES.find((one) => one === scheme) ?? "iso";
    this.bindings = parseBindings(kept("windrow.gamepad"));
  }

  /** Listens to the keyboard and the pads of this page. */
  listen(): void {
    window.addEventListener("keydown", (event) => this.key(event, true));
    window.addEventListener("keyup", (event) => this.key(event, false));
    window.addEventListener("blur", () => this.letGo());
    document.addEventListener("visibilitychange", () => document.hidden && this.letGo());
    window.setInterval(() => this.repeat(), 1000 * REPEAT);
    const poll = (): void => {
      const worn = this.headset();
      this.poll(navigator.getGamepads?.() ?? [], worn);
      window.setTimeout(poll, this.pads.length > 0 || worn !== null ? POLL_HELD : POLL_NONE);
    };
    poll();
  }

  build(controls: Control[]): void {
    this.controls = controls;
    this.machine = Math.max(controls.find((control) => control.machine >= 0)?.machine ?? 0, 0);
    this.sent = {};
    this.delays.length = 0;
    this.reassign();
  }

  drive(machine: number): void {
    this.letGo();
    this.machine = machine;
    this.reassign();
  }

  get driven(): number {
    return this.machine;
  }

  choose(scheme: Scheme): void {
    this.scheme = scheme;
    keep("windrow.scheme", scheme);
    this.reassign();
  }

  bind(bindings: Bindings | null): void {
    this.bindings = bindings;
    keep("windrow.gamepad", bindings === null ? null : JSON.stringify(bindings));
    this.onChange();
  }

  get boundNow(): Bindings {
    return this.bindings ?? defaultBindings(this.pads);
  }

  /** A stick on the screen. */
  touch(values: Partial<Record<Lever, number>>): void {
    Object.assign(this.screen, values);
    this.update();
  }

  /** A slider; null lets go. */
  slide(control: string, value: number | null): void {
    if (value === null) delete this.sliders[control];
    else this.sliders[control] = value;
    this.update(true);
  }

  letGo(): void {
    this.keys.clear();
    this.gentle = false;
    for (const name of Object.keys(this.sliders)) delete this.sliders[name];
    for (const lever of Object.keys(this.screen) as Lever[]) this.screen[lever] = 0;
    this.update(true);
  }

  /** A frame obeys all messages up to a stamp: how long did that take? */
  obeyed(stamp: number | undefined): void {
    if (stamp === undefined || this.waiting === null || stamp < this.waiting.stamp) return;
    this.delays.push(1000 * (this.now() - this.waiting.at));
    if (this.delays.length > REMEMBERED) this.delays.shift();
    this.waiting = null;
  }

  /** From hand to frame, median of the last few, ms. */
  get delay(): number | null {
    if (this.delays.length === 0) return null;
    const sorted = [...this.delays].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)]!;
  }

  /** What the hands ask for now. */
  values(): Values {
    const values: Values = {};
    for (const { control, keys, lever, touch, sign } of this.assignments) {
      const pressed = (key: string | undefined): number => (key !== undefined && this.keys.has(key) ? 1 : 0);
      const byKey = (pressed(keys?.[0]) - pressed(keys?.[1])) * (this.gentle ? GENTLE : 1);
      const byPad = lever === null ? 0 : sign * (this.levers[lever] ?? 0);
      const byTouch = touch === null ? 0 : sign * (this.screen[touch] ?? 0);
      let value = 0;
      for (const one of [byKey, byPad, byTouch, this.sliders[control.name] ?? 0]) if (Math.abs(one) > Math.abs(value)) value = one;
      values[control.name] = Math.min(Math.max(value, control.low), control.high) || 0;
    }
    return values;
  }

  /** Whether a key belongs to a control of this scene. */
  owns(key: string): boolean {
    return this.assignments.some((one) => one.keys?.some((own) => own === key));
  }

  poll(found: readonly (Pad | null)[], headset: Pad | null = null): void {
    const pads = found.filter((pad): pad is Pad => pad !== null && pad.connected).map(copied);
    const changed = pads.length !== this.pads.length;
    this.pads = pads;
    this.levers = pads.length > 0 && !this.resting() ? readLevers(pads, this.boundNow) : {};
    if (headset !== null) {
      const worn = readLevers([headset], defaultBindings([headset]));
      for (const lever of Object.keys(worn) as Lever[]) {
        if (Math.abs(worn[lever]!) > Math.abs(this.levers[lever] ?? 0)) this.levers[lever] = worn[lever]!;
      }
    }
    if (changed) this.onChange();
    this.update();
  }

  key(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "target" | "preventDefault">, down: boolean): void {
    const key = event.key.toLowerCase();
    const wasGentle = this.gentle;
    this.gentle = event.shiftKey;
    if (down && (event.ctrlKey || event.metaKey || event.altKey)) return;
    if (!this.owns(key)) {
      if (wasGentle !== this.gentle) this.update(true);
      return;
    }
    const target = event.target as HTMLElement | null;
    if (down && target?.closest?.("input, select, textarea, dialog[open]")) return;
    event.preventDefault();
    if (down) this.keys.add(key);
    else this.keys.delete(key);
    this.update(true);
  }

  private reassign(): void {
    this.assignments = assign(this.controls, this.machine, this.scheme);
    this.onChange();
  }

  private repeat(): void {
    if (Object.values(this.sent).some((value) => value !== 0) && this.now() - this.lastSent >= 0.9 * REPEAT) this.say(this.values(), false);
  }

  private update(atOnce = false): void {
    if (!this.steers || this.assignments.length === 0) return;
    const values = this.values();
    const differs = Object.entries(values).some(([name, value]) => {
      const before = this.sent[name] ?? 0;
      return value !== before && (Math.abs(value - before) > SMALLEST_CHANGE || value === 0 || Math.abs(value) === 1);
    });
    if (!differs) return;
    const gap = this.lastSent + SHORTEST_GAP - this.now();
    if (atOnce || gap <= 0) {
      this.say(values, true);
    } else if (this.later === undefined) {
      this.later = window.setTimeout(() => {
        this.later = undefined;
        this.update();
      }, 1000 * gap);
    }
  }

  private say(values: Values, changed: boolean): void {
    if (!this.steers) return;
    this.stamp++;
    this.sent = values;
    this.lastSent = this.now();
    if (changed && this.waiting === null) this.waiting = { stamp: this.stamp, at: this.lastSent };
    this.send(values, this.stamp);
  }
}
