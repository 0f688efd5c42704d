// The task of a scene: what is wanted, how far it is, and at the end how it went.

import { element, measured, short } from "./dom";
import type { Finish, SceneMessage, TaskNote } from "./wire";

export class TaskPanel {
  private readonly title: HTMLElement;
  private readonly words: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly facts: HTMLElement;
  private readonly button: HTMLButtonElement;
  private running = false;

  constructor(private readonly root: HTMLElement, send: (action: "start" | "stop") => void) {
    const head = element("div", "head", root);
    this.title = element("h2", "", head);
    this.button = element("button", "small", head);
    this.button.onclick = () => {
      send(this.running ? "stop" : "start");
      document.getElementById("stage")?.focus();
    };
    this.words = element("p", "", root);
    const gauge = element("div", "gauge", root);
    gauge.setAttribute("role", "progressbar");
    gauge.setAttribute("aria-label", "Share of the task that is done");
    this.bar = element("i", "", gauge);
    this.facts = element("p", "numbers", root);
    root.hidden = true;
  }

  build(scene: SceneMessage): void {
    this.root.hidden = scene.task === null || scene.mode === "replay";
    if (scene.task === null) return;
    this.title.textContent = scene.task.title;
    this.words.textContent = scene.task.text;
    this.take({
      state: "ready", share: 0, score: 0, amount: 0, target: scene.task.target, unit: scene.task.unit, time: 0,
    }, scene.task.time_limit);
  }

  take(note: TaskNote, limit: number | null): void {
    this.running = note.state === "running";
    this.button.textContent = this.running ? "end it" : note.state === "done" ? "again" : "start";
    this.bar.style.width = `${Math.min(Math.max(100 * note.share, 0), 100)}%`;
    this.bar.parentElement!.setAttribute("aria-valuenow", (100 * note.share).toFixed(0));
    this.facts.textContent = taskWords(note, limit);
    this.root.dataset["state"] = note.state;
  }
}

export function taskWords(note: TaskNote, limit: number | null): string {
  const words = [`${short(note.amount)} of ${short(note.target)} ${note.unit}`];
  words.push(limit === null ? clock(note.time) : `${clock(note.time)} of ${clock(limit)}`);
  if (note.cycles !== undefined) words.push(`${note.cycles} ${note.cycles === 1 ? "cycle" : "cycles"}`);
  if (note.spilled !== undefined && note.spilled > 0) words.push(`${measured(note.spilled, note.unit === "loads" ? "kg" : note.unit)} spilled`);
  if (note.finish) words.push(...finishWords(note.finish));
  words.push(`score ${note.score.toFixed(0)}`);
  return words.join(" · ");
}

/** What is left to do of a surface, and how far its floor is off. */
export function finishWords(finish: Finish): string[] {
  const high = 100 * finish.depth_error;
  const words = [`floor ${Math.abs(high).toFixed(1)} cm ${high >= 0 ? "high" : "low"}`, `${finish.left.toFixed(2)} m³ left`];
  if (finish.over_dig >= 0.005) words.push(`${finish.over_dig.toFixed(2)} m³ too deep`);
  return words;
}

/** Minutes and seconds. */
export function clock(seconds: number): string {
  const whole = Math.max(Math.floor(seconds), 0);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
