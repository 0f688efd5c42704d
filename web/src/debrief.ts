// After a task: how long cycles took, how full the bucket was, what was spilled, as a page and as files.

import uPlot from "uplot";
import { legendOf, plotOptions, type Line } from "./curve";
import { download, element, measured, short } from "./dom";
import { clock } from "./task";
import type { DebriefMessage } from "./wire";

const COLORS = ["--accent", "--blue", "--green", "--red"];
const OUTCOMES: Record<DebriefMessage["outcome"], string> = {
  reached: "target reached", time: "time is up", stopped: "ended by the operator",
};

export class Debrief {
  last: DebriefMessage | null = null;

  constructor(private readonly dialog: HTMLDialogElement) {
    dialog.addEventListener("close", () => document.getElementById("stage")?.focus());
  }

  show(debrief: DebriefMessage): void {
    this.last = debrief;
    const { dialog } = this;
    dialog.replaceChildren();
    element("h2", "", dialog).textContent = `${debrief.title}: ${OUTCOMES[debrief.outcome] ?? debrief.outcome}`;
    const list = element("dl", "facts", dialog);
    for (const [name, value] of summaryOf(debrief)) {
      element("dt", "", list).textContent = name;
      element("dd", "", list).textContent = value;
    }
    if (!dialog.open) dialog.showModal();
    this.cycles(debrief);
    this.plots(debrief);
    const foot = element("div", "foot", dialog);
    const file = `windrow-${(debrief.scene || "task").replace(/[^\w-]+/g, "-")}`;
    const button = (words: string, action: () => void): void => {
      const made = element("button", "", foot);
      made.textContent = words;
      made.onclick = action;
    };
    const { type: _, ...plain } = debrief;
    button("save as JSON", () => download(`${file}.json`, "application/json", JSON.stringify(plain, null, 1)));
    button("save as CSV", () => download(`${file}.csv`, "text/csv", csvOf(debrief)));
    button("close", () => dialog.close());
  }

  private cycles(debrief: DebriefMessage): void {
    if (debrief.cycles.length === 0) return;
    const table = element("table", "cycles", this.dialog);
    const head = table.createTHead().insertRow();
    for (const word of ["cycle", "took, s", `brought, ${debrief.unit}`, "fill, %", "spilled"]) {
      const cell = document.createElement("th");
      cell.textContent = word;
      cell.scope = "col";
      head.append(cell);
    }
    const body = table.createTBody();
    debrief.cycles.forEach((cycle, k) => {
      const row = body.insertRow();
      for (const text of [String(k + 1), cycle.seconds.toFixed(1), short(cycle.amount), (100 * cycle.fill).toFixed(0), short(cycle.spilled)]) {
        row.insertCell().textContent = text;
      }
    });
  }

  private plots(debrief: DebriefMessage): void {
    const { time, ...series } = debrief.series;
    if (time.length < 2) return;
    const labels: Record<string, string> = { amount: `${debrief.finish ? "within the tolerance" : "brought"}, ${debrief.unit}`, fill: "fill of the bucket", force: "force on the tool, N" };
    Object.entries(series).forEach(([name, values], k) => {
      if (values.length !== time.length) return;
      const line: Line = { label: labels[name] ?? name, color: COLORS[k % COLORS.length]! };
      const box = element("figure", "curve", this.dialog);
      legendOf(element("figcaption", "", box), [line]);
      new uPlot(plotOptions(Math.min(520, window.innerWidth - 100), 96, [line], false), [time, values], box);
    });
  }
}

export function summaryOf(debrief: DebriefMessage): [string, string][] {
  const rows: [string, string][] = [
    ["score", debrief.score.toFixed(0)],
    [debrief.finish ? "within the tolerance" : "brought", `${short(debrief.amount)} of ${short(debrief.target)} ${debrief.unit}`],
    ["time", clock(debrief.time)],
    ["cycles", String(debrief.cycles.length)],
  ];
  if (debrief.cycle_mean !== null) rows.push(["a cycle took on average", `${debrief.cycle_mean.toFixed(1)} s`]);
  if (debrief.fill_mean !== null) rows.push(["bucket was filled on average", `${(100 * debrief.fill_mean).toFixed(0)} %`]);
  const finish = debrief.finish;
  if (finish) {
    const high = 100 * finish.depth_error;
    rows.push(
      ["floor beside the target", `${Math.abs(high).toFixed(1)} cm too ${high >= 0 ? "high" : "low"} on average, ±${(100 * finish.scatter).toFixed(1)} cm`],
      ["its slope is off by", `${(100 * finish.slope_error).toFixed(1)} %`],
      ["left above the target", `${finish.left.toFixed(2)} m³`],
      ["dug too deep", `${finish.over_dig.toFixed(2)} m³`],
    );
    return rows;
  }
  if (debrief.spilled !== undefined) rows.push(["spilled", measured(debrief.spilled, debrief.unit === "loads" ? "kg" : debrief.unit)]);
  return rows;
}

/** Cycles, an empty line, then the series, one moment a line. */
export function csvOf(debrief: DebriefMessage): string {
  const lines = [`cycle,start s,end s,seconds,amount ${debrief.unit},fill,spilled`];
  debrief.cycles.forEach((c, k) => lines.push([k + 1, c.start, c.end, c.seconds, c.amount, c.fill, c.spilled].join(",")));
  const names = Object.keys(debrief.series).filter((name) => name !== "time");
  lines.push("", ["time s", ...names].join(","));
  debrief.series.time.forEach((time, k) => lines.push([time, ...names.map((name) => debrief.series[name]![k] ?? "")].join(",")));
  return `${lines.join("\n")}\n`;
}
