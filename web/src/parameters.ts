// Numbers of scene and soil that may be changed while it runs. The server decides; what it refuses goes back.

import GUI, { type Controller } from "lil-gui";
import { WIDE } from "./stage";
import type { Parameter } from "./wire";

export class Parameters {
  items: Parameter[] = [];
  private gui: GUI | null = null;
  private readonly values: Record<string, number | boolean | string> = {};
  private readonly controllers = new Map<string, Controller>();
  private shape = "";
  private allowed = true;

  constructor(
    private readonly container: HTMLElement,
    private readonly send: (path: string, value: number | boolean | string) => void,
  ) {}

  clear(): void {
    this.gui?.destroy();
    this.gui = null;
    this.items = [];
    this.shape = "";
    this.controllers.clear();
  }

  take(items: Parameter[]): void {
    const shape = items.map((item) => `${item.path} ${item.kind} ${item.low} ${item.high}`).join("|");
    this.items = items;
    for (const item of items) this.values[item.path] = item.value;
    if (shape !== this.shape) {
      this.build(items);
      this.shape = shape;
    }
    for (const controller of this.controllers.values()) controller.updateDisplay();
  }

  allow(allowed: boolean): void {
    this.allowed = allowed;
    for (const controller of this.controllers.values()) controller.enable(allowed);
  }

  toggle(): void {
    if (this.gui === null) return;
    if (this.gui._closed) {
      this.gui.open();
      this.container.querySelector<HTMLElement>(".lil-children .lil-title")?.focus();
    } else this.gui.close();
  }

  private build(items: Parameter[]): void {
    this.gui?.destroy();
    this.controllers.clear();
    this.gui = null;
    if (items.length === 0) return;
    this.gui = new GUI({ container: this.container, title: "Scene and soil" });
    const folders = new Map<string, GUI>();
    for (const item of items) {
      let folder = folders.get(item.group);
      if (folder === undefined) {
        folder = this.gui.addFolder(item.group || "Scene");
        folder.close();
        folders.set(item.group, folder);
      }
      this.add(folder, item);
    }
    if (window.innerWidth < WIDE || window.innerHeight < 900) this.gui.close();
  }

  private add(folder: GUI, item: Parameter): void {
    const controller = item.kind === "choice"
      ? folder.add(this.values, item.path, item.choices ?? [])
      : folder.add(this.values, item.path);
    if (item.kind === "number" || item.kind === "whole") {
      if (item.low != null) controller.min(item.low);
      // A slider over powers of ten would have all its way at one end; without an upper end there is none.
      if (item.high != null && !item.logarithmic) controller.max(item.high);
      controller.step(item.step ?? (item.kind === "whole" ? 1 : fineStep(item)));
    }
    controller.name(item.unit === "" ? item.label : `${item.label}, ${item.unit}`);
    const title = [item.description, item.restarts ? "The simulation continues from a snapshot." : ""].filter(Boolean).join(" ");
    controller.domElement.title = title;
    controller.domElement.querySelector("input, select")?.setAttribute("aria-label", `${item.label}${item.unit && `, ${item.unit}`}`);
    controller.onFinishChange((value: number | boolean | string) => this.send(item.path, value));
    controller.enable(this.allowed);
    this.controllers.set(item.path, controller);
  }
}

/** About a thousandth of the range, round. */
export function fineStep(item: Pick<Parameter, "low" | "high" | "value">): number {
  const span = item.low != null && item.high != null ? item.high - item.low : Math.abs(Number(item.value)) || 1;
  return 10 ** Math.floor(Math.log10(span / 200));
}
