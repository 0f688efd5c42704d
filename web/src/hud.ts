// Numbers and gauges at the side. What a scene does not provide has no gauge.

import type { Legend } from "./colors";
import { Curve } from "./curve";
import { element, measured, short } from "./dom";
import { ForceGauge } from "./force";
import type { Frame, OilNote, SceneMessage, StatusMessage, ToolNote } from "./wire";

const LEDGER: [key: string, label: string][] = [
  ["initial", "at the start"],
  ["emitted", "poured in"],
  ["sunk", "taken by sinks"],
  ["left_domain", "left the scene"],
];

/** All mass, in scenes with ground. */
const MASSES: [key: string, label: string][] = [
  ["ground_mass", "ground"],
  ["grain_mass", "grains"],
  ["held_mass", "held by bodies"],
  ["left_mass", "gone"],
  ["added_mass", "came"],
];

export class Hud {
  private readonly title: HTMLElement;
  private readonly state: HTMLElement;
  private readonly facts: Map<string, HTMLElement> = new Map();
  private readonly list: HTMLElement;
  private readonly fill: HTMLElement;
  private readonly fillBar: HTMLElement;
  private readonly fillText: HTMLElement;
  private readonly times: HTMLDetailsElement;
  private readonly timeCurve: Curve;
  private readonly phases: HTMLTableElement;
  private readonly force: ForceGauge;
  private readonly ledger: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly ends: HTMLElement;
  private pendingCurves = false;
  private picture = 0;

  constructor(root: HTMLElement) {
    this.title = element("h1", "", root);
    this.state = element("p", "state", root);
    this.list = element("dl", "facts", root);
    this.legend = element("div", "legend", root);
    this.bar = element("div", "gradient", this.legend);
    this.ends = element("div", "ends", this.legend);
    this.legend.hidden = true;
    this.fill = element("section", "fill", root);
    this.fill.hidden = true;
    const head = element("p", "", this.fill);
    head.textContent = "bucket ";
    this.fillText = element("span", "number", head);
    const gauge = element("div", "gauge", this.fill);
    gauge.setAttribute("role", "meter");
    gauge.setAttribute("aria-label", "Bucket fill, of its rated volume");
    this.fillBar = element("i", "", gauge);
    element("b", "", gauge);
    this.force = new ForceGauge(root);
    this.times = element("details", "times", root);
    element("summary", "", this.times).textContent = "times";
    this.timeCurve = new Curve(this.times, "ms", [{ label: "step", color: "--accent" }, { label: "picture", color: "--blue" }]);
    this.phases = element("table", "ledger", this.times);
    this.times.open = window.innerHeight > 700;
    this.ledger = element("table", "ledger", root);
  }

  build(scene: SceneMessage): void {
    this.title.textContent = scene.title || "Untitled scene";
    this.title.title = scene.description;
    const swatches = scene.scale.map(([r, g, b]) => `rgb(${255 * r} ${255 * g} ${255 * b})`);
    this.bar.style.background = `linear-gradient(to right, ${swatches.join(", ")})`;
    this.force.build(scene);
    this.timeCurve.clear();
    this.facts.clear();
    this.list.replaceChildren();
    this.fill.hidden = true;
  }

  status(status: StatusMessage, mode: string): void {
    const others = status.pages > 1 ? `, ${status.pages} pages` : "";
    const role = status.operator ? "" : ", watching only";
    const doing = status.busy !== "" ? status.busy : status.paused ? "paused" : mode === "replay" ? "replay" : "live";
    this.state.textContent = `${doing}${others}${role}`;
    this.state.classList.toggle("paused", status.paused);
    this.state.classList.toggle("busy", status.busy !== "");
  }

  /** `delay`: from hand to frame, ms. */
  take(frame: Frame, delay: number | null): void {
    const notes = frame.notes;
    this.fact("time", `${frame.time.toFixed(2)} s`);
    if (frame.count > 0) this.fact("grains", frame.count.toLocaleString("en"));
    if (notes.real_time_factor !== undefined) {
      this.fact("real-time factor", notes.real_time_factor > 0 ? `${notes.real_time_factor.toFixed(2)} ×` : "–");
    }
    if (notes.step_seconds !== undefined) {
      this.fact("step", `${(1000 * notes.step_seconds).toFixed(1)} ms`);
      this.timeCurve.add(frame.time, 1000 * notes.step_seconds, this.picture);
    }
    if (delay !== null) this.fact("hand to motion", `${delay.toFixed(0)} ms`);
    if (notes.contacts !== undefined) this.fact("contacts", notes.contacts.toLocaleString("en"));
    if (notes.asleep) this.fact("asleep", notes.asleep.toLocaleString("en"));
    if (notes.late) this.fact("steps given up", notes.late.toLocaleString("en"));
    if (notes.frozen) this.fact("frozen", notes.frozen.toLocaleString("en"));
    this.times.hidden = notes.step_seconds === undefined;
    this.split(notes.seconds ?? {});
    this.book(notes.ledger ?? {});
    this.load(notes.tool ?? null);
    this.oil(notes.oil ?? null);
    this.force.take(frame);
    this.pendingCurves = true;
  }

  /** Once per picture, as curves are costly to draw; `picture`: time between pictures, ms. */
  refresh(picture: number): void {
    this.picture = picture;
    if (this.facts.size > 0) this.fact("pictures", `${picture > 400 ? (1000 / picture).toFixed(1) : Math.round(1000 / picture)} a second`);
    if (!this.pendingCurves) return;
    this.pendingCurves = false;
    this.timeCurve.draw();
    this.force.draw();
  }

  /** Draws the curves anew, in the colours of the theme. */
  recolor(): void {
    this.timeCurve.recolor();
    this.force.recolor();
  }

  explain(legend: Legend | null): void {
    this.legend.hidden = legend === null;
    if (legend === null) return;
    this.ends.textContent = "";
    for (const text of [short(legend.low), legend.label, short(legend.high)]) element("span", "", this.ends).textContent = text;
  }

  private load(tool: ToolNote | null): void {
    this.fill.hidden = tool?.fill === undefined;
    if (tool?.fill === undefined) return;
    const percent = 100 * tool.fill;
    // The mark for full stands at two thirds, as a heaped bucket holds more than is rated.
    this.fillBar.style.width = `${Math.min(percent / 1.5, 100)}%`;
    this.fillBar.parentElement!.setAttribute("aria-valuenow", percent.toFixed(0));
    const mass = tool.mass === undefined ? "" : `, ${measured(tool.mass, "kg")}`;
    const volume = tool.volume === undefined ? "" : `, ${tool.volume.toFixed(2)} m³`;
    this.fillText.textContent = `${percent.toFixed(0)} %${volume}${mass}`;
  }

  /** What hydraulics do, one row for each. */
  private oil(oil: OilNote | null): void {
    if (oil === null) return;
    for (const [name, share] of Object.entries(oil.load)) this.fact(`${name} load`, `${(100 * share).toFixed(0)} %`);
    for (const [name, flow] of Object.entries(oil.flow)) this.fact(`pump ${name}`, `${(60000 * flow).toFixed(0)} L/min`);
    for (const [name, pressure] of Object.entries(oil.pressure)) this.fact(name.replace(/_/g, " "), `${(pressure / 1e5).toFixed(0)} bar`);
    for (const [name, slip] of Object.entries(oil.slip)) this.fact(`${name} slip`, `${(100 * slip).toFixed(0)} %`);
  }

  private split(seconds: Record<string, number>): void {
    const rows = Object.entries(seconds).sort((a, b) => b[1] - a[1]).slice(0, 6);
    this.phases.hidden = rows.length === 0;
    this.write(this.phases, rows.map(([name, value]) => [name.replace(/_/g, " "), `${(1000 * value).toFixed(2)} ms`]));
  }

  private book(ledger: Record<string, number>): void {
    const rows = LEDGER.filter(([key]) => (ledger[key] ?? 0) > 0 || (ledger[`${key}_mass`] ?? 0) > 0);
    const masses = (ledger["ground_mass"] ?? 0) > 0 ? MASSES.filter(([key]) => (ledger[key] ?? 0) > 0) : [];
    this.ledger.hidden = rows.length + masses.length === 0;
    this.write(this.ledger as HTMLTableElement, [
      ...rows.map(([key, label]) => [label, (ledger[key] ?? 0).toLocaleString("en"), measured(ledger[`${key}_mass`] ?? 0, "kg")]),
      ...masses.map(([key, label]) => [label, "", measured(ledger[key] ?? 0, "kg")]),
      ...(masses.length > 0 ? [["error of the sum", "", (ledger["mass_error"] ?? 0).toExponential(0)]] : []),
    ]);
  }

  /** Into cells that are there already: building tables thirty times a second would be waste. */
  private write(table: HTMLTableElement, rows: string[][]): void {
    while (table.rows.length > rows.length) table.deleteRow(-1);
    rows.forEach((texts, k) => {
      const row = table.rows[k] ?? table.insertRow();
      texts.forEach((text, c) => {
        const cell = row.cells[c] ?? row.insertCell();
        if (cell.textContent !== text) cell.textContent = text;
      });
    });
  }

  private fact(name: string, value: string): void {
    let cell = this.facts.get(name);
    if (cell === undefined) {
      element("dt", "", this.list).textContent = name;
      cell = element("dd", "", this.list);
      cell.dataset["fact"] = name;
      this.facts.set(name, cell);
    }
    if (cell.textContent !== value) cell.textContent = value;
  }
}
