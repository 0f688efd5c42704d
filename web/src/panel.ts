// Settings of this page: they change how things look, not what happens.

import GUI, { type Controller } from "lil-gui";
import { CAMERAS, type CameraName } from "./cameras";
import { coloringsOf, type Coloring } from "./colors";
import { QUALITIES, WIDE, type Quality } from "./stage";
import type { Quantity } from "./wire";

export type SticksShown = "auto" | "on" | "off";

export interface Settings {
  coloring: Coloring;
  camera: CameraName;
  quality: Quality;
  theme: "dark" | "light";
  sticks: SticksShown;
  speed: number;
}

export type Changes = { [K in keyof Settings]: (value: Settings[K]) => void };

export class Panel {
  private readonly gui: GUI;
  private coloring: Controller;

  constructor(container: HTMLElement, readonly settings: Settings, private readonly changes: Changes) {
    this.gui = new GUI({ container, title: "View" });
    this.coloring = this.gui.add(settings, "coloring", coloringsOf(["speed", "force"])).name("colour by").onChange(changes.coloring);
    this.gui.add(settings, "camera", [...CAMERAS]).onChange(changes.camera);
    this.gui.add(settings, "quality", [...QUALITIES]).onChange(changes.quality);
    this.gui.add(settings, "theme", ["dark", "light"]).onChange(changes.theme);
    this.gui.add(settings, "sticks", ["auto", "on", "off"]).name("sticks on screen").onChange(changes.sticks);
    this.gui.add(settings, "speed", 0.05, 4, 0.05).name("speed, s per s").onFinishChange(changes.speed);
    if (window.innerWidth < WIDE || window.innerHeight < 700) this.gui.close();
  }

  /** Offers the colourings that a scene has numbers for. */
  offer(quantities: readonly Quantity[]): void {
    const offered = coloringsOf(quantities);
    if (!offered.includes(this.settings.coloring)) this.settings.coloring = "material";
    this.coloring = this.coloring.options(offered).name("colour by").onChange(this.changes.coloring);
  }

  /** Shows what was changed elsewhere. */
  update(values: Partial<Settings>): void {
    Object.assign(this.settings, values);
    for (const controller of this.gui.controllers) controller.updateDisplay();
  }
}
