// The page on which game controllers are set up: which axis is which lever, its ends, rest and direction.

import { element } from "../dom";
import {
  Calibration, copied, movedMost, rawOf, shaped, STRAIGHT, type Binding, type Bindings, type Pad, type Source,
} from "./gamepad";
import type { Operator } from "./operator";
import { LEVER_NAMES, LEVERS, SCHEMES, schemeMatters, type Lever } from "./schemes";

const REFRESH = 40; // ms

export class PadPage {
  private timer: number | undefined;
  private learning: { lever: Lever; rest: Pad[] } | null = null;
  private calibrations: Map<Lever, Calibration> | null = null;
  private meters = new Map<Lever, { bar: HTMLElement; text: HTMLElement }>();
  private shown = "";

  constructor(private readonly dialog: HTMLDialogElement, private readonly operator: Operator) {
    operator.resting = () => dialog.open;
    dialog.onclose = () => {
      window.clearInterval(this.timer);
      this.learning = this.calibrations = null;
      document.getElementById("stage")?.focus();
    };
  }

  toggle(): void {
    if (this.dialog.open) {
      this.dialog.close();
      return;
    }
    this.operator.letGo();
    this.build();
    this.dialog.showModal();
    this.timer = window.setInterval(() => this.refresh(), REFRESH);
  }

  private build(): void {
    const { operator, dialog } = this;
    this.meters.clear();
    this.shown = this.outline();
    dialog.replaceChildren();
    element("h2", "", dialog).textContent = "Game controllers";
    const found = element("p", "", dialog);
    found.textContent = operator.pads.length === 0
      ? "None found yet. Plug one in and press a button on it: browsers show it only then."
      : operator.pads.map((pad) => pad.id).join(", ");
    this.schemes();
    if (operator.pads.length > 0) this.table();
    const foot = element("div", "foot", dialog);
    if (operator.pads.length > 0) {
      this.button(foot, this.calibrations === null ? "calibrate all" : "done: keep the ends", () => this.calibrate());
      this.button(foot, "defaults", () => this.change(null));
    }
    this.button(foot, "close", () => dialog.close());
    if (this.calibrations !== null) {
      element("p", "prompt", dialog).textContent = "Move every stick and pedal all the way to each side, let go, then press “done”.";
    }
    if (this.learning !== null) {
      element("p", "prompt", dialog).textContent = `Move what shall be “${LEVER_NAMES[this.learning.lever]}” to the right, or away from you.`;
    }
  }

  private schemes(): void {
    const field = element("fieldset", "", this.dialog);
    element("legend", "", field).textContent = "Pattern of an excavator's levers";
    const names = { iso: "ISO: left stick and swing, right boom and bucket", sae: "SAE: left boom and swing, right stick and bucket" };
    for (const scheme of SCHEMES) {
      const label = element("label", "choice", field);
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = "scheme";
      radio.value = scheme;
      radio.checked = this.operator.scheme === scheme;
      radio.onchange = () => this.operator.choose(scheme);
      label.append(radio, names[scheme]);
    }
    if (!schemeMatters(this.operator.assignments.map((one) => one.control))) {
      element("p", "soft", field).textContent = "The machine of this scene has no boom and stick; both patterns are alike for it.";
    }
  }

  private table(): void {
    const table = document.createElement("table");
    table.className = "pads";
    const head = table.createTHead().insertRow();
    for (const word of ["lever", "moves", "now", "from", "", "dead zone", "fine", "turn round"]) {
      const cell = document.createElement("th");
      cell.textContent = word;
      cell.scope = "col";
      head.append(cell);
    }
    const bindings = this.operator.boundNow;
    const body = table.createTBody();
    for (const lever of LEVERS) this.row(body.insertRow(), lever, bindings[lever]);
    this.dialog.append(table);
  }

  private row(row: HTMLTableRowElement, lever: Lever, binding: Binding | undefined): void {
    row.insertCell().textContent = LEVER_NAMES[lever];
    const used = this.operator.assignments.filter((one) => one.lever === lever).map((one) => one.control.role.replace(/_/g, " "));
    row.insertCell().textContent = used.join(", ") || "–";
    const meter = element("div", "meter", row.insertCell());
    const bar = element("div", "needle", meter);
    this.meters.set(lever, { bar, text: row.insertCell() });
    this.button(row.insertCell(), this.learning?.lever === lever ? "move it…" : "assign", () => {
      this.learning = { lever, rest: this.operator.pads.map(copied) };
      this.build();
    }).setAttribute("aria-label", `Assign ${LEVER_NAMES[lever]}`);
    const dead = this.range(row, `Dead zone of ${LEVER_NAMES[lever]}`, 0.4, binding?.shape.dead ?? 0);
    const curve = this.range(row, `Fineness of ${LEVER_NAMES[lever]}`, 1, binding?.shape.curve ?? 0);
    const turn = document.createElement("input");
    turn.type = "checkbox";
    turn.checked = binding?.shape.invert ?? false;
    turn.setAttribute("aria-label", `Turn round ${LEVER_NAMES[lever]}`);
    row.insertCell().append(turn);
    for (const input of [dead, curve, turn]) {
      input.disabled = binding === undefined;
      input.onchange = () => {
        if (binding === undefined) return;
        const shape = { ...binding.shape, dead: Number(dead.value), curve: Number(curve.value), invert: turn.checked };
        this.change({ ...this.operator.boundNow, [lever]: { ...binding, shape } });
      };
    }
  }

  private refresh(): void {
    const { operator } = this;
    if (this.outline() !== this.shown) this.build();
    if (this.learning !== null) {
      const source = movedMost(this.learning.rest, operator.pads);
      if (source !== null) this.learnt(this.learning.lever, source);
    }
    const bindings = operator.boundNow;
    for (const [lever, meter] of this.meters) {
      const binding = bindings[lever];
      const raw = binding === undefined ? 0 : rawOf(binding.source, operator.pads);
      this.calibrations?.get(lever)?.see(raw);
      const value = binding === undefined ? 0 : shaped(raw, binding.shape);
      meter.bar.style.left = `${50 * (1 + value)}%`;
      const from = binding === undefined ? "–" : sourceName(binding.source);
      if (meter.text.textContent !== from) meter.text.textContent = from;
    }
  }

  private learnt(lever: Lever, source: Source): void {
    const rest = this.learning!.rest;
    this.learning = null;
    const start = rawOf(source, rest), end = rawOf(source, this.operator.pads);
    const shape = { ...STRAIGHT, centre: source.kind === "axis" ? start : 0, invert: end < start };
    this.change({ ...this.operator.boundNow, [lever]: { source, shape } });
  }

  private calibrate(): void {
    const bindings = this.operator.boundNow;
    if (this.calibrations === null) {
      this.calibrations = new Map();
      for (const lever of LEVERS) {
        const source = bindings[lever]?.source;
        if (source?.kind === "axis") this.calibrations.set(lever, new Calibration(rawOf(source, this.operator.pads)));
      }
      this.build();
      return;
    }
    const made: Bindings = { ...bindings };
    for (const [lever, calibration] of this.calibrations) {
      const binding = made[lever];
      if (binding !== undefined) made[lever] = { ...binding, shape: calibration.finish(binding.shape) };
    }
    this.calibrations = null;
    this.change(made);
  }

  private change(bindings: Bindings | null): void {
    this.operator.bind(bindings);
    this.build();
  }

  private outline(): string {
    return this.operator.pads.map((pad) => `${pad.index} ${pad.id}`).join("|") + this.operator.scheme;
  }

  private button(parent: HTMLElement, words: string, action: () => void): HTMLButtonElement {
    const made = document.createElement("button");
    made.textContent = words;
    made.onclick = action;
    parent.append(made);
    return made;
  }

  private range(row: HTMLTableRowElement, label: string, most: number, value: number): HTMLInputElement {
    const made = document.createElement("input");
    made.type = "range";
    made.min = "0";
    made.max = String(most);
    made.step = "0.01";
    made.value = String(value);
    made.setAttribute("aria-label", label);
    row.insertCell().append(made);
    return made;
  }
}

function sourceName(source: Source): string {
  if (source.kind === "axis") return `pad ${source.pad + 1}, axis ${source.index}`;
  return `pad ${source.pad + 1}, button ${source.plus}${source.minus === null ? "" : ` − ${source.minus}`}`;
}
