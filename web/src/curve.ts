// Small curves over the last frames.

import uPlot from "uplot";
import { element, short } from "./dom";

const HISTORY = 240;

export interface Line {
  label: string;
  /** A colour of the style sheet. */
  color: string;
}

export const styled = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Axes and lines as all plots of the page have them. */
export function plotOptions(width: number, height: number, lines: Line[], signed: boolean): uPlot.Options {
  const axis = {
    stroke: () => styled("--ink-soft"),
    grid: { stroke: () => styled("--line"), width: 1 },
    ticks: { show: false },
    font: "10px system-ui, sans-serif",
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [4, 10, 0, 0],
    scales: {
      x: { time: false },
      y: {
        range: (_, low, high) => {
          const top = Math.max(high, 0) * 1.15, bottom = signed ? Math.min(low, 0) * 1.15 : 0;
          return [bottom, top - bottom > 1e-9 ? top : bottom + 1];
        },
      },
    },
    axes: [
      { ...axis, size: 16, gap: 1, space: 60 },
      { ...axis, size: 40, gap: 2, space: 22, values: (_, ticks) => ticks.map(short) },
    ],
    series: [{}, ...lines.map((line) => ({ label: line.label, stroke: () => styled(line.color), width: 1.5, points: { show: false } }))],
  };
}

/** Names of lines in their colours. */
export function legendOf(parent: HTMLElement, lines: Line[]): void {
  for (const line of lines) {
    const word = element("span", "line", parent);
    word.textContent = line.label;
    word.style.setProperty("--swatch", `var(${line.color})`);
  }
}

export class Curve {
  readonly box: HTMLElement;
  private readonly plot: uPlot;
  private readonly times: number[] = [];
  private readonly values: number[][];

  constructor(parent: HTMLElement, label: string, lines: Line[], signed = false, height = 76) {
    this.box = element("figure", "curve", parent);
    const caption = element("figcaption", "", this.box);
    caption.textContent = `${label} `;
    if (lines.length > 1) legendOf(caption, lines);
    this.values = lines.map(() => []);
    this.box.hidden = true;
    this.plot = new uPlot(plotOptions(216, height, lines, signed), [[], ...lines.map(() => [])], this.box);
  }

  add(time: number, ...values: number[]): void {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && time < last) this.clear();
    if (time === last) return; // the simulation pauses
    this.times.push(time);
    this.values.forEach((line, k) => line.push(values[k] ?? 0));
    if (this.times.length <= HISTORY) return;
    this.times.shift();
    for (const line of this.values) line.shift();
  }

  clear(): void {
    this.times.length = 0;
    for (const line of this.values) line.length = 0;
  }

  recolor(): void {
    this.plot.redraw(false, true);
  }

  draw(): void {
    this.box.hidden = this.times.length < 2;
    // What is folded away need not be drawn.
    if (this.box.offsetParent !== null) this.plot.setData([this.times, ...this.values]);
  }
}
