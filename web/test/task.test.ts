// Tasks, debriefings and numbers.

import { describe, expect, it } from "vitest";
import { coloringsOf } from "../src/colors";
import { csvOf, summaryOf } from "../src/debrief";
import { measured } from "../src/dom";
import { fineStep } from "../src/parameters";
import { clock, taskWords } from "../src/task";
import type { DebriefMessage } from "../src/wire";

const debrief: DebriefMessage = {
  type: "debrief", title: "Load", scene: "rocks", outcome: "reached", score: 81.4, amount: 5200, target: 5000, unit: "kg", spilled: 140, time: 125,
  cycles: [
    { start: 2, end: 40, seconds: 38, amount: 2500, fill: 0.8, spilled: 40 },
    { start: 45, end: 120, seconds: 75, amount: 2700, fill: 0.9, spilled: 100 },
  ],
  fill_mean: 0.85, cycle_mean: 56.5, series: { time: [0, 60, 120], amount: [0, 2500, 5200], force: [1, null, 3] }, parameters: {},
};

describe("a task", () => {
  it("is told in one line", () => {
    const note = { state: "running", share: 0.3, score: 41.2, amount: 1500, target: 5000, unit: "kg", spilled: 120, cycles: 1, time: 65 } as const;
    expect(taskWords(note, 300)).toBe("1500 of 5000 kg · 1:05 of 5:00 · 1 cycle · 120 kg spilled · score 41");
    expect(taskWords({ ...note, spilled: 0, cycles: 2 }, null)).toBe("1500 of 5000 kg · 1:05 · 2 cycles · score 41");
  });

  it("ends with a summary", () => {
    const rows = new Map(summaryOf(debrief));
    expect(rows.get("score")).toBe("81");
    expect(rows.get("time")).toBe("2:05");
    expect(rows.get("a cycle took on average")).toBe("56.5 s");
    expect(rows.get("bucket was filled on average")).toBe("85 %");
    expect(new Map(summaryOf({ ...debrief, cycles: [], fill_mean: null, cycle_mean: null })).has("a cycle took on average")).toBe(false);
  });

  it("can be saved as a table", () => {
    const lines = csvOf(debrief).split("\n");
    expect(lines[0]).toBe("cycle,start s,end s,seconds,amount kg,fill,spilled");
    expect(lines[2]).toBe("2,45,120,75,2700,0.9,100");
    expect(lines.slice(4, 8)).toEqual(["time s,amount,force", "0,0,1", "60,2500,", "120,5200,3"]);
    expect(lines.at(-1)).toBe("");
  });
});

describe("numbers", () => {
  it("have units that people use", () => {
    expect([measured(845, "N"), measured(12_345, "N"), measured(21_000, "kg"), measured(-3.2e6, "N")]).toEqual(["845 N", "12.3 kN", "21 t", "−3.20 MN"]);
    expect([clock(-1), clock(59.9), clock(3600)]).toEqual(["0:00", "0:59", "60:00"]);
  });

  it("of parameters go in round steps", () => {
    expect(fineStep({ low: 0, high: 20, value: 9.81 })).toBeCloseTo(0.1);
    expect(fineStep({ low: 0, high: 1, value: 0.5 })).toBeCloseTo(0.001);
    expect(fineStep({ low: null, high: null, value: 0 })).toBeGreaterThan(0);
  });

  it("that a scene does not have are no colour", () => {
    expect(coloringsOf(["speed", "force"])).toEqual(["material", "speed", "force", "height", "id"]);
    expect(coloringsOf(["speed", "moisture"])).toEqual(["material", "speed", "moisture", "height", "id"]);
    expect(coloringsOf(["speed", "spin"])).toEqual(["material", "speed", "spin", "height", "id"]);
  });
});
