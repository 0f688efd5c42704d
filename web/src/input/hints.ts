// The list of controls: which keys move them, how far they are moved, and a slider for the mouse.

import { element } from "../dom";
import type { Operator, Values } from "./operator";
import { keyName, schemeMatters, SCHEMES, type Scheme } from "./schemes";
import type { SceneMessage } from "../wire";

export class Hints {
  private readonly sliders = new Map<string, HTMLInputElement>();
  private readonly held = new Set<string>();
  private scene: SceneMessage | null = null;

  constructor(private readonly root: HTMLElement, private readonly operator: Operator, private readonly setUp: () => void) {}

  build(scene: SceneMessage | null): void {
    this.scene = scene;
    this.sliders.clear();
    this.held.clear();
    this.root.replaceChildren();
    this.root.hidden = scene === null || scene.controls.length === 0;
    if (scene === null || this.root.hidden) return;
    this.head(scene);
    const list = element("div", "controls", this.root);
    for (const { control, keys, touch } of this.operator.assignments) {
      const row = element("label", touch === null ? "control" : "control onstick", list);
      row.title = control.text;
      const name = element("span", "name", row);
      name.textContent = control.role.replace(/_/g, " ");
      const caps = element("span", "caps", row);
      for (const key of keys ?? []) element("kbd", "", caps).textContent = keyName(key);
      const slider = document.createElement("input");
      slider.type = "range";
      slider.min = String(control.low);
      slider.max = String(control.high);
      slider.step = "0.05";
      slider.value = "0";
      slider.dataset["control"] = control.name;
      slider.setAttribute("aria-label", control.text ? `${control.role}: ${control.text}` : control.role);
      // Like a lever with a spring: it goes back when it is let go.
      slider.oninput = () => {
        this.held.add(control.name);
        this.operator.slide(control.name, Number(slider.value));
      };
      const release = (): void => {
        if (!this.held.delete(control.name)) return;
        slider.value = "0";
        this.operator.slide(control.name, null);
      };
      slider.onblur = release;
      slider.onpointerup = slider.onpointercancel = () => {
        release();
        slider.blur(); // or the keys of the machine would go to the slider
      };
      slider.disabled = !this.operator.steers;
      row.append(slider);
      this.sliders.set(control.name, slider);
    }
  }

  /** Whether this page steers; the levers of one that watches only show. */
  allow(steers: boolean): void {
    for (const slider of this.sliders.values()) slider.disabled = !steers;
  }

  /** Shows what is applied. */
  show(applied: Values): void {
    for (const [name, slider] of this.sliders) {
      if (!this.held.has(name)) slider.value = String(applied[name] ?? 0);
    }
  }

  private head(scene: SceneMessage): void {
    const head = element("div", "head", this.root);
    if (scene.machines.length > 1) {
      const machines = document.createElement("select");
      machines.setAttribute("aria-label", "Machine to drive");
      machines.append(...scene.machines.map((machine, k) => new Option(machine.title || machine.name, String(k))));
      machines.value = String(this.operator.driven);
      machines.onchange = () => {
        this.operator.drive(Number(machines.value));
        document.getElementById("stage")?.focus();
      };
      head.append(machines);
    } else {
      element("h2", "", head).textContent = scene.machines[0]?.title || "Controls";
    }
    if (schemeMatters(scene.controls)) {
      const scheme = document.createElement("select");
      scheme.setAttribute("aria-label", "Pattern of the levers");
      scheme.append(...SCHEMES.map((name) => new Option(name.toUpperCase(), name)));
      scheme.value = this.operator.scheme;
      scheme.onchange = () => {
        this.operator.choose(scheme.value as Scheme);
        document.getElementById("stage")?.focus();
      };
      head.append(scheme);
    }
    const pads = document.createElement("button");
    pads.className = "small";
    pads.textContent = this.operator.pads.length > 0 ? "pad ✓" : "pad…";
    pads.title = "Game controllers (G)";
    pads.setAttribute("aria-label", "Set up game controllers");
    pads.onclick = this.setUp;
    head.append(pads);
  }

  rebuild(): void {
    this.build(this.scene);
  }
}
