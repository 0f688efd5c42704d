// The force gauge: how much, in which direction, and from what.

import { Curve } from "./curve";
import { element, measured, short } from "./dom";
import { BODY_FLOATS, type Frame, type SceneMessage, type Vec3 } from "./wire";

const TOOL = "tool";
const MOST_BODIES = 40;
const AXES = ["x", "y", "z"] as const;

/** Bodies worth a line in the list: those of machines, obstacles, and the others if they are few. */
export function listedBodies(scene: Pick<SceneMessage, "bodies">): number[] {
  const rows = scene.bodies.map((_, row) => row);
  if (rows.length <= MOST_BODIES) return rows;
  return rows.filter((row) => scene.bodies[row]!.machine >= 0 || scene.bodies[row]!.kind === "obstacle").slice(0, MOST_BODIES);
}

export class ForceGauge {
  readonly root: HTMLElement;
  private readonly choice: HTMLSelectElement;
  private readonly size: HTMLElement;
  private readonly bars: { fill: HTMLElement; text: HTMLElement }[] = [];
  private readonly parts: HTMLTableElement;
  private readonly curve: Curve;
  private readonly option = new Option("tool", TOOL);
  private toolRow = -1;
  private top = 1;

  constructor(parent: HTMLElement) {
    this.root = element("section", "force", parent);
    const label = element("label", "", this.root);
    label.textContent = "force on ";
    this.choice = document.createElement("select");
    this.choice.setAttribute("aria-label", "Body whose force is shown");
    this.choice.onchange = () => {
      this.curve.clear();
      this.top = 1;
      this.choice.blur();
    };
    label.append(this.choice);
    this.size = element("p", "size", this.root);
    const table = element("div", "parts", this.root);
    for (const axis of AXES) {
      element("span", "axis", table).textContent = axis;
      const track = element("span", "track", table);
      this.bars.push({ fill: element("i", axis, track), text: element("span", "number", table) });
    }
    this.parts = element("table", "ledger", this.root);
    this.curve = new Curve(this.root, "N", [
      { label: "size", color: "--accent" }, { label: "x", color: "--red" }, { label: "y", color: "--green" }, { label: "z", color: "--blue" },
    ], true, 92);
  }

  build(scene: SceneMessage): void {
    const rows = listedBodies(scene);
    this.choice.replaceChildren(...rows.map((row) => new Option(scene.bodies[row]!.name, String(row))));
    const tool = scene.machines.find((machine) => machine.tool !== null)?.tool;
    this.toolRow = tool?.body ?? -1;
    if (tool) {
      this.choice.prepend(this.option);
      this.option.text = `tool (${scene.bodies[tool.body]?.name ?? ""})`;
    }
    const moving = (kind: string): number | undefined => rows.find((row) => scene.bodies[row]!.moves && scene.bodies[row]!.kind === kind);
    this.choice.value = tool ? TOOL : String(moving("obstacle") ?? moving("body") ?? rows[0] ?? 0);
    this.root.hidden = rows.length === 0;
    this.curve.clear();
    this.top = 1;
  }

  take(frame: Frame): void {
    if (this.root.hidden) return;
    const tool = this.choice.value === TOOL ? frame.notes.tool : null;
    const row = this.choice.value === TOOL ? this.toolRow : Number(this.choice.value);
    const force = tool ? tool.force : forceOn(frame, row); // a recording has forces on bodies, but no gauges
    if (force === null) return;
    const size = Math.hypot(...force);
    this.top = Math.max(this.top * 0.995, size, 1);
    this.size.textContent = measured(size, "N");
    force.forEach((value, k) => {
      const { fill, text } = this.bars[k]!;
      const share = Math.min(Math.abs(value) / this.top, 1);
      fill.style.left = `${value < 0 ? 50 * (1 - share) : 50}%`;
      fill.style.width = `${50 * share}%`;
      text.textContent = short(value);
    });
    this.list(tool?.parts ?? {});
    this.curve.add(frame.time, size, ...force);
  }

  draw(): void {
    if (!this.root.hidden) this.curve.draw();
  }

  recolor(): void {
    this.curve.recolor();
  }

  private list(parts: Record<string, Vec3>): void {
    const names = Object.keys(parts);
    this.parts.hidden = names.length < 2;
    if (this.parts.hidden) return;
    while (this.parts.rows.length > names.length) this.parts.deleteRow(-1);
    names.forEach((name, k) => {
      const row = this.parts.rows[k] ?? this.parts.insertRow();
      while (row.cells.length < 2) row.insertCell();
      row.cells[0]!.textContent = `from ${name}`;
      row.cells[1]!.textContent = measured(Math.hypot(...parts[name]!), "N");
    });
  }
}

function forceOn(frame: Frame, row: number): Vec3 | null {
  const at = row * BODY_FLOATS + 7;
  if (!(at >= 0) || at + 2 >= frame.bodies.length) return null;
  return [frame.bodies[at]!, frame.bodies[at + 1]!, frame.bodies[at + 2]!];
}
