// Settings of this page: they change how things look, not what happens.

import GUI from "lil-gui";
import { COLORINGS, type Coloring } from "./colors";
import { CAMERAS, QUALITIES, type CameraName, type Quality } from "./stage";

export interface Settings {
  coloring: Coloring;
  camera: CameraName;
  quality: Quality;
  theme: "dark" | "light";
  speed: number;
}

export interface Changes {
  coloring(value: Coloring): void;
  camera(value: CameraName): void;
  quality(value: Quality): void;
  theme(value: "dark" | "light"): void;
  speed(value: number): void;
}

export class Panel {
  private readonly gui: GUI;

  constructor(container: HTMLElement, readonly settings: Settings, changes: Changes) {
    this.gui = new GUI({ container, title: "View" });
    this.gui.add(settings, "coloring", [...COLORINGS]).name("colour by").onChange(changes.coloring);
    this.gui.add(settings, "camera", [...CAMERAS]).onChange(changes.camera);
    this.gui.add(settings, "quality", [...QUALITIES]).onChange(changes.quality);
    this.gui.add(settings, "theme", ["dark", "light"]).onChange(changes.theme);
    this.gui.add(settings, "speed", 0.05, 4, 0.05).name("speed, s per s").onFinishChange(changes.speed);
    if (window.innerWidth < 900) this.gui.close();
  }

  /** Shows what was changed elsewhere. */
  update(values: Partial<Settings>): void {
    Object.assign(this.settings, values);
    for (const controller of this.gui.controllers) controller.updateDisplay();
  }
}
