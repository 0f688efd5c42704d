// Numbers and small curves at the side. What a scene does not provide has no gauge.

import uPlot from "uplot";
import type { Legend } from "./colors";
import { BODY_FLOATS, type Frame, type SceneMessage, type StatusMessage } from "./wire";

const HISTORY = 240;
const LEDGER: [key: string, label: string][] = [
  ["initial", "at the start"],
  ["emitted", "poured in"],
  ["sunk", "taken by sinks"],
  ["left_domain", "left the scene"],
];

/** A curve over the last frames. */
class Curve {
  private readonly plot: uPlot;
  private readonly times: number[] = [];
  private readonly values: number[] = [];

  constructor(parent: HTMLElement, label: string) {
    const box = element("figure", "curve", parent);
    element("figcaption", "", box).textContent = label;
    const ink = (): string => getComputedStyle(document.documentElement).getPropertyValue("--ink-soft");
    const axis = {
      stroke: ink,
      grid: { stroke: () => getComputedStyle(document.documentElement).getPropertyValue("--line"), width: 1 },
      ticks: { show: false },
      font: "10px system-ui, sans-serif",
    };
    this.plot = new uPlot(
      {
        width: 216,
        height: 76,
        legend: { show: false },
        cursor: { show: false },
        padding: [4, 2, 0, 0],
        scales: { x: { time: false }, y: { range: (_, __, high) => [0, Math.max(high * 1.15, 1e-9)] } },
        axes: [
          { ...axis, size: 16, gap: 1, space: 60 },
          { ...axis, size: 38, gap: 2, space: 22, values: (_, ticks) => ticks.map(short) },
        ],
        series: [{}, { stroke: () => getComputedStyle(document.documentElement).getPropertyValue("--accent"), width: 1.5, points: { show: false } }],
      },
      [[], []],
      box,
    );
  }

  add(time: number, value: number): void {
    if (this.times.length > 0 && time <= this.times[this.times.length - 1]!) this.clear();
    this.times.push(time);
    this.values.push(value);
    if (this.times.length > HISTORY) {
      this.times.shift();
      this.values.shift();
    }
  }

  clear(): void {
    this.times.length = this.values.length = 0;
  }

  recolor(): void {
    this.plot.redraw(false, true);
  }

  draw(): void {
    this.plot.setData([this.times, this.values]);
  }
}

export class Hud {
  /** Obstacle whose force is shown. */
  body = 0;
  private readonly title: HTMLElement;
  private readonly state: HTMLElement;
  private readonly facts: Map<string, HTMLElement> = new Map();
  private readonly list: HTMLElement;
  private readonly stepCurve: Curve;
  private readonly forceBox: HTMLElement;
  private readonly forceSelect: HTMLSelectElement;
  private readonly forceText: HTMLElement;
  private readonly forceCurve: Curve;
  private readonly ledger: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly ends: HTMLElement;
  private swatches: string[] = [];
  private pendingCurves = false;

  constructor(root: HTMLElement) {
    this.title = element("h1", "", root);
    this.state = element("p", "state", root);
    this.list = element("dl", "facts", root);
    this.legend = element("div", "legend", root);
    this.bar = element("div", "gradient", this.legend);
    this.ends = element("div", "ends", this.legend);
    this.legend.hidden = true;
    this.stepCurve = new Curve(root, "time per step, ms");
    this.forceBox = element("section", "force", root);
    const label = element("label", "", this.forceBox);
    label.textContent = "force on ";
    this.forceSelect = document.createElement("select");
    this.forceSelect.setAttribute("aria-label", "Obstacle whose force is shown");
    label.append(this.forceSelect);
    this.forceText = element("p", "vector", this.forceBox);
    this.forceCurve = new Curve(this.forceBox, "force, N");
    this.forceSelect.onchange = () => {
      this.body = Number(this.forceSelect.value);
      this.forceCurve.clear();
    };
    this.ledger = element("table", "ledger", root);
  }

  build(scene: SceneMessage): void {
    this.title.textContent = scene.title || "Untitled scene";
    this.title.title = scene.description;
    this.forceBox.hidden = scene.bodies.length === 0;
    this.forceSelect.replaceChildren(
      ...scene.bodies.map((body, k) => new Option(body.name, String(k))),
    );
    const moving = scene.bodies.findIndex((body) => body.moves);
    this.body = Math.max(moving, 0);
    this.forceSelect.value = String(this.body);
    this.swatches = scene.scale.map(([r, g, b]) => `rgb(${255 * r} ${255 * g} ${255 * b})`);
    this.bar.style.background = `linear-gradient(to right, ${this.swatches.join(", ")})`;
    this.stepCurve.clear();
    this.forceCurve.clear();
    this.facts.clear();
    this.list.replaceChildren();
  }

  status(status: StatusMessage, mode: string): void {
    const others = status.pages > 1 ? `, ${status.pages} pages` : "";
    const role = status.operator ? "" : ", watching only";
    const doing = status.busy !== "" ? status.busy : status.paused ? "paused" : mode === "replay" ? "replay" : "live";
    this.state.textContent = `${doing}${others}${role}`;
    this.state.classList.toggle("paused", status.paused);
    this.state.classList.toggle("busy", status.busy !== "");
  }

  take(frame: Frame): void {
    const notes = frame.notes;
    this.fact("time", `${frame.time.toFixed(2)} s`);
    this.fact("grains", frame.count.toLocaleString("en"));
    if (notes.real_time_factor !== undefined) {
      this.fact("real-time factor", notes.real_time_factor > 0 ? `${notes.real_time_factor.toFixed(2)} ×` : "–");
    }
    if (notes.step_seconds !== undefined) {
      this.fact("step", `${(1000 * notes.step_seconds).toFixed(1)} ms`);
      this.stepCurve.add(frame.time, 1000 * notes.step_seconds);
    }
    if (notes.contacts !== undefined) this.fact("contacts", notes.contacts.toLocaleString("en"));
    if (notes.asleep) this.fact("asleep", notes.asleep.toLocaleString("en"));
    if (notes.frozen) this.fact("frozen", notes.frozen.toLocaleString("en"));
    this.book(notes.ledger ?? {});
    this.weigh(frame);
    this.pendingCurves = true;
  }

  /** Curves are costly to draw, so only once per picture and not for every frame. */
  refresh(): void {
    if (!this.pendingCurves) return;
    this.pendingCurves = false;
    this.stepCurve.draw();
    if (!this.forceBox.hidden) this.forceCurve.draw();
  }

  /** Draws the curves anew, in the colours of the theme. */
  recolor(): void {
    this.stepCurve.recolor();
    this.forceCurve.recolor();
  }

  explain(legend: Legend | null): void {
    this.legend.hidden = legend === null;
    if (legend === null) return;
    this.ends.textContent = "";
    for (const text of [short(legend.low), legend.label, short(legend.high)]) element("span", "", this.ends).textContent = text;
  }

  private weigh(frame: Frame): void {
    const at = this.body * BODY_FLOATS + 7;
    if (at + 2 >= frame.bodies.length) return;
    const force = [frame.bodies[at]!, frame.bodies[at + 1]!, frame.bodies[at + 2]!];
    const size = Math.hypot(...force);
    this.forceText.textContent = `${short(size)} N   (${force.map(short).join(", ")})`;
    this.forceCurve.add(frame.time, size);
  }

  private book(ledger: Record<string, number>): void {
    const rows = LEDGER.filter(([key]) => (ledger[key] ?? 0) > 0 || (ledger[`${key}_mass`] ?? 0) > 0);
    this.ledger.hidden = rows.length === 0;
    const body = document.createElement("tbody");
    for (const [key, label] of rows) {
      const row = body.insertRow();
      row.insertCell().textContent = label;
      row.insertCell().textContent = (ledger[key] ?? 0).toLocaleString("en");
      row.insertCell().textContent = `${short(ledger[`${key}_mass`] ?? 0)} kg`;
    }
    this.ledger.replaceChildren(body);
  }

  private fact(name: string, value: string): void {
    let cell = this.facts.get(name);
    if (cell === undefined) {
      element("dt", "", this.list).textContent = name;
      cell = element("dd", "", this.list);
      cell.dataset["fact"] = name;
      this.facts.set(name, cell);
    }
    cell.textContent = value;
  }
}

/** Three figures at most, with a minus sign that has the width of a digit. */
export function short(value: number): string {
  const size = Math.abs(value);
  let text: string;
  if (size === 0) text = "0";
  else if (size >= 1e6) text = `${(size / 1e6).toPrecision(3)} M`;
  else if (size >= 1e4) text = `${(size / 1e3).toPrecision(3)} k`;
  else if (size >= 100) text = size.toFixed(0);
  else if (size >= 0.01) text = String(Number(size.toPrecision(3)));
  else text = size < 1e-6 ? "0" : size.toExponential(1);
  return value < 0 && text !== "0" ? `−${text}` : text;
}

export function element(tag: string, className: string, parent: HTMLElement): HTMLElement {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  parent.append(made);
  return made;
}
