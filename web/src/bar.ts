// Buttons along the bottom, and the slider of a recording.

import type { Command } from "./connection";
import { CAMERAS, type CameraName } from "./cameras";
import { element } from "./dom";
import type { HelloMessage, StatusMessage } from "./wire";

export const SCALES = [0.1, 0.25, 0.5, 1, 2, 4];

const ICONS: Record<string, string> = {
  play: "M7 4 L20 12 L7 20 Z",
  pause: "M6 4 H10 V20 H6 Z M14 4 H18 V20 H14 Z",
  step: "M5 4 L15 12 L5 20 Z M17 4 H20 V20 H17 Z",
  back: "M19 4 L9 12 L19 20 Z M4 4 H7 V20 H4 Z",
  reset: "M12 5 A7 7 0 1 0 19 12 L16.6 12 A4.6 4.6 0 1 1 12 7.4 V11 L18 6 L12 1 Z",
  save: "M5 3 H16 L20 7 V21 H4 V3 Z M7 5 V10 H15 V5 Z M8 13 H16 V19 H8 Z",
  glasses: "M3 6 H21 V17 H15 L13.5 14.5 H10.5 L9 17 H3 Z M7.5 9 A2.2 2.2 0 1 0 7.6 9 Z M16.5 9 A2.2 2.2 0 1 0 16.6 9 Z",
  help: "M11 17 H13 V19 H11 Z M8 9 A4 4 0 1 1 13.6 12.7 Q13 13.1 13 14 V15 H11 V13.6 Q11 12 12.4 11.2 A2 2 0 1 0 10 9 Z",
};

export interface Actions {
  send(command: Command): void;
  camera(name: CameraName): void;
  help(): void;
}

export class Bar {
  private readonly play: HTMLButtonElement;
  private readonly back: HTMLButtonElement;
  private readonly scale: HTMLSelectElement;
  private readonly scenes: HTMLSelectElement;
  private readonly save: HTMLButtonElement;
  private readonly saves: HTMLSelectElement;
  private readonly take: HTMLButtonElement;
  private readonly cameras: HTMLSelectElement;
  /** Into virtual reality; hidden where there is none. */
  readonly glasses: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private paused = false;
  private sliding = false;

  constructor(root: HTMLElement, private readonly actions: Actions) {
    const send = actions.send;
    this.slider = document.createElement("input");
    this.slider.type = "range";
    this.slider.step = "any";
    this.slider.className = "time";
    this.slider.setAttribute("aria-label", "Moment of the recording, seconds");
    this.slider.oninput = () => {
      this.sliding = true;
      send({ type: "seek", time: Number(this.slider.value) });
    };
    this.slider.onchange = () => (this.sliding = false);
    root.append(this.slider);
    const row = element("div", "row", root);
    this.back = button(row, "back", "One frame back (,)", () => send({ type: "step", count: -1 }));
    this.play = button(row, "pause", "Pause or go on (space)", () => this.toggle());
    button(row, "step", "One step (.)", () => send({ type: "step", count: 1 }));
    button(row, "reset", "Begin again (R)", () => send({ type: "reset" }));
    this.scale = select(row, "Speed: simulated seconds per second", (value) => send({ type: "time_scale", value: Number(value) }));
    this.scale.append(...SCALES.map((value) => new Option(`${value} ×`, String(value))));
    this.save = button(row, "save", "Keep this moment (K)", () => send({ type: "save" }));
    this.saves = select(row, "Go back to a kept moment", (value) => {
      if (value !== "") send({ type: "restore", number: Number(value) });
      this.saves.value = "";
    });
    this.scenes = select(row, "Scene", (value) => send({ type: "scene", name: value }));
    this.cameras = select(row, "Camera (1 to 4)", (value) => actions.camera(value as CameraName));
    this.cameras.append(...CAMERAS.map((name) => new Option(name, name)));
    this.glasses = button(row, "glasses", "Virtual reality, in the cabin", () => {});
    this.glasses.hidden = true;
    this.take = document.createElement("button");
    this.take.textContent = "take control";
    this.take.onclick = () => send({ type: "operate" });
    row.append(this.take);
    button(row, "help", "Help (H)", actions.help);
  }

  toggle(): void {
    this.actions.send({ type: this.paused ? "resume" : "pause" });
  }

  /** To the next slower or faster speed. */
  shift(by: number): void {
    const near = SCALES.reduce((best, value, k) => {
      const gap = Math.abs(Math.log(value / Number(this.scale.value)));
      return gap < best.gap ? { gap, k } : best;
    }, { gap: Infinity, k: 0 });
    const value = SCALES[Math.min(Math.max(near.k + by, 0), SCALES.length - 1)]!;
    this.actions.send({ type: "time_scale", value });
  }

  camera(name: CameraName, offered: (name: CameraName) => boolean): void {
    for (const option of this.cameras.options) option.hidden = option.disabled = !offered(option.value as CameraName);
    this.cameras.value = name;
  }

  hello(message: HelloMessage): void {
    const live = message.mode === "live";
    this.scenes.replaceChildren(...message.scenes.map(({ name, title }) => new Option(title.split(":")[0], name)));
    this.scenes.hidden = message.scenes.length < 2;
    this.slider.hidden = live;
    this.back.hidden = live;
    this.save.hidden = !live;
  }

  status(status: StatusMessage): void {
    this.paused = status.paused;
    paint(this.play, status.paused ? "play" : "pause");
    this.play.setAttribute("aria-pressed", String(status.paused));
    const value = String(status.time_scale);
    if (![...this.scale.options].some((option) => option.value === value)) this.scale.append(new Option(`${value} ×`, value));
    this.scale.value = value;
    if (this.scenes.options.length > 0 && ![...this.scenes.options].some((option) => option.value === status.scene)) {
      this.scenes.prepend(new Option(status.scene || "own scene", status.scene)); // one that is not in the library
    }
    this.scenes.value = status.scene;
    this.take.hidden = status.operator;
    const saves = status.saves ?? [];
    this.saves.hidden = saves.length === 0;
    this.saves.replaceChildren(
      new Option("go back to…", ""),
      ...saves.map((save) => new Option(`${save.time.toFixed(2)} s`, String(save.number))),
    );
    if (status.first !== undefined && status.last !== undefined) {
      this.slider.min = String(status.first);
      this.slider.max = String(status.last);
    }
  }

  moment(time: number): void {
    if (!this.slider.hidden && !this.sliding) this.slider.value = String(time);
  }
}

function button(parent: HTMLElement, icon: string, label: string, action: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.className = "icon";
  made.title = label;
  made.setAttribute("aria-label", label);
  made.onclick = action;
  paint(made, icon);
  parent.append(made);
  return made;
}

function paint(target: HTMLButtonElement, icon: string): void {
  if (target.dataset["icon"] === icon) return;
  target.dataset["icon"] = icon;
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[icon] ?? "");
  path.setAttribute("fill-rule", "evenodd");
  picture.append(path);
  target.replaceChildren(picture);
}

function select(parent: HTMLElement, label: string, action: (value: string) => void): HTMLSelectElement {
  const made = document.createElement("select");
  made.title = label;
  made.setAttribute("aria-label", label);
  made.onchange = () => {
    action(made.value);
    document.getElementById("stage")?.focus(); // or the keys would go on changing the list
  };
  parent.append(made);
  return made;
}
