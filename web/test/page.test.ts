// The parts of the page that need no browser.

import { describe, expect, it } from "vitest";
import { noise, Painter } from "../src/colors";
import { socketAddress } from "../src/connection";
import { short } from "../src/dom";
import { buried } from "../src/buried";
import { Effort } from "../src/effort";
import { openness } from "../src/openness";
import { roundLength } from "../src/solids";
import { alignedBefore, Glide } from "../src/timeline";
import type { Frame, Roster } from "../src/wire";

const roster = (number: number, ids: number[]): Roster => ({
  number,
  id: Uint32Array.from(ids),
  radius: new Float32Array(ids.length).fill(0.05),
  material: new Uint16Array(ids.length),
});

describe("grains between two frames", () => {
  it("are matched by id when some came and some went", () => {
    const before = { position: new Float32Array([1, 1, 1, 2, 2, 2, 3, 3, 3]), roster: roster(1, [1, 2, 5]) };
    const now = { position: new Float32Array([20, 20, 20, 40, 40, 40, 50, 50, 50]), roster: roster(2, [2, 4, 5]) };
    expect([...alignedBefore(before, now)]).toEqual([2, 2, 2, 40, 40, 40, 3, 3, 3]);
  });

  it("stay where they are when there is no frame before", () => {
    const now = { position: new Float32Array([1, 2, 3]), roster: roster(1, [7]) };
    expect(alignedBefore(null, now)).toBe(now.position);
  });
});

describe("grains that nobody can see", () => {
  const block = (n: number): Float32Array => {
    const places: number[] = [];
    for (let x = 0; x < n; x++) for (let y = 0; y < n; y++) for (let z = 0; z < n; z++) places.push(2 * x, 2 * y, 2 * z);
    return Float32Array.from(places);
  };

  it("lie deep in a heap, and others are never taken for them", () => {
    const position = block(16), count = position.length / 3;
    const found = buried(position, new Float32Array(count).fill(1), count);
    let hidden = 0;
    for (let i = 0; i < count; i++) {
      if (found[i] === 0) continue;
      hidden++;
      for (let c = 0; c < 3; c++) {
        expect(position[3 * i + c]).toBeGreaterThan(3);
        expect(position[3 * i + c]).toBeLessThan(27);
      }
    }
    expect(hidden).toBeGreaterThan(0.25 * count);
  });

  it("are none where a hollow lets one look in, or grains are few", () => {
    const whole = block(16);
    const kept: number[] = [];
    for (let i = 0; i < whole.length; i += 3) {
      const middle = [0, 1, 2].every((c) => Math.abs(whole[i + c]! - 15) < 9);
      if (!middle) kept.push(whole[i]!, whole[i + 1]!, whole[i + 2]!);
    }
    const shell = Float32Array.from(kept);
    expect(buried(shell, new Float32Array(shell.length / 3).fill(1), shell.length / 3)).not.toContain(1);
    expect(buried(Float32Array.of(0, 0, 0), Float32Array.of(1), 1)).toEqual(Uint8Array.of(0));
    expect(buried(new Float32Array(0), new Float32Array(0), 0)).toHaveLength(0);
    expect(buried(Float32Array.of(0, 0, 0, 1e9, 1e9, 1e9), Float32Array.of(1, 1), 2)).toEqual(Uint8Array.of(0, 0));
  });
});

describe("gliding", () => {
  it("goes from the frame before to the newest within the time between frames", () => {
    const glide = new Glide();
    expect(glide.arrive({ epoch: 1, generation: 1 }, 10)).toBe(false);
    expect(glide.share(10)).toBe(1);
    for (let k = 1; k < 60; k++) expect(glide.arrive({ epoch: 1, generation: 1 }, 10 + 0.1 * k)).toBe(true);
    const last = 10 + 0.1 * 59;
    expect(glide.share(last)).toBeCloseTo(0);
    expect(glide.share(last + 0.05)).toBeCloseTo(0.5, 1);
    expect(glide.share(last + 1)).toBe(1);
  });

  it("does not glide across a jump in time", () => {
    const glide = new Glide();
    glide.arrive({ epoch: 1, generation: 1 }, 0);
    glide.arrive({ epoch: 1, generation: 1 }, 0.03);
    expect(glide.arrive({ epoch: 2, generation: 1 }, 0.06)).toBe(false);
    expect(glide.share(0.06)).toBe(1);
  });
});

describe("fineness", () => {
  const run = (effort: Effort, seconds: number, pictures: number): number => {
    let changes = 0;
    for (let k = 0; k < pictures; k++) if (effort.note(seconds)) changes++;
    return changes;
  };

  it("goes down where pictures come slowly, to the end", () => {
    const effort = new Effort(2, false);
    const before = effort.fineness.pixels;
    expect(run(effort, 0.1, 13)).toBe(1);
    expect(effort.fineness.pixels).toBeLessThan(before);
    run(effort, 0.1, 200);
    expect(effort.fineness).toEqual({ shadows: 0, pixels: 0.5 });
  });

  it("goes down faster where they come very slowly, and begins low without a graphics card", () => {
    const effort = new Effort(2, false);
    expect(run(effort, 0.25, 14)).toBe(2);
    expect(effort.fineness.shadows).toBe(0);
    const hopeless = new Effort(2, false);
    run(hopeless, 1.5, 3);
    expect(hopeless.fineness.pixels).toBe(0.5);
    expect(new Effort(2, true).fineness.pixels).toBeLessThan(1);
  });

  it("goes up where there is time, but not back to what was too slow", () => {
    const effort = new Effort(2, false);
    const before = effort.fineness.pixels;
    expect(run(effort, 1 / 60, 300)).toBe(1);
    expect(effort.fineness.pixels).toBeGreaterThan(before);
    expect(run(effort, 0.1, 13)).toBe(1);
    expect(effort.fineness.pixels).toBe(before);
    expect(run(effort, 1 / 60, 2000)).toBe(0);
  });

  it("changes something with each step, on any screen", () => {
    for (const density of [1, 1.25, 1.5, 3]) {
      const effort = new Effort(density, false);
      for (let before = { ...effort.fineness }, k = 0; k < 300; k++) {
        if (!effort.note(0.1)) continue;
        expect(effort.fineness).not.toEqual(before);
        before = { ...effort.fineness };
      }
      expect(effort.fineness.pixels).toBe(0.5);
    }
  });

  it("stays where pictures come neither slowly nor easily", () => {
    expect(run(new Effort(2, false), 1 / 40, 2000)).toBe(0);
    expect(run(new Effort(2, false), 60, 20)).toBe(0); // a page that was hidden
  });
});

describe("openness", () => {
  it("is full on top and less below", () => {
    const height = 12;
    const position: number[] = [];
    for (let x = 0; x < 10; x++)
      for (let y = 0; y < 10; y++)
        for (let z = 0; z < height; z++) position.push(0.1 * x + 0.03 * Math.sin(7 * y), 0.1 * y + 0.03 * Math.cos(5 * x), 0.05 + 0.1 * z);
    const count = position.length / 3;
    const open = openness(Float32Array.from(position), new Float32Array(count).fill(0.05), count);
    const layer = (z: number): number => {
      let sum = 0;
      for (let i = z; i < count; i += height) sum += open[i]! / 100;
      return sum;
    };
    expect(layer(height - 1)).toBeGreaterThan(0.8);
    for (let z = 1; z < height; z++) expect(layer(z)).toBeGreaterThanOrEqual(layer(z - 1));
    expect(layer(0)).toBeLessThan(0.6);
    expect(openness(new Float32Array(0), new Float32Array(0), 0).length).toBe(0);
  });
});

describe("colours", () => {
  const painter = new Painter({
    scale: [[0, 0, 0], [1, 1, 1]],
    materials: [{ name: "sand", color: [1, 0.5, 0] }],
  });
  const frame = {
    count: 2, position: new Float32Array([0, 0, 0, 0, 0, 2]), quantity: "speed", value: new Float32Array([0, 4]), highest: 4,
  } as unknown as Frame;

  it("follow a scale from its low to its high end", () => {
    const tint = new Uint8Array(8);
    expect(painter.paint("speed", frame, roster(1, [0, 1]), tint)).toEqual({ label: "speed, m/s", low: 0, high: 4 });
    expect([...tint.slice(0, 3), ...tint.slice(4, 7)]).toEqual([0, 0, 0, 255, 255, 255]);
    expect(painter.paint("force", frame, roster(1, [0, 1]), tint)).toBeNull();
  });

  it("follow the material with a little noise", () => {
    const tint = new Uint8Array(8);
    painter.paint("material", frame, roster(1, [0, 1]), tint);
    expect(tint[0]).toBeGreaterThan(220);
    expect(tint[2]).toBe(0);
    expect(noise(1)).not.toBe(noise(2));
  });
});

describe("words and addresses", () => {
  it("are short", () => {
    expect([0, 0.5, -12.345, 845.2, 12345, 2.5e6].map(short)).toEqual(["0", "0.5", "−12.3", "845", "12.3 k", "2.50 M"]);
    expect([0.13, 0.9, 3, 42].map(roundLength)).toEqual([0.1, 1, 2, 50]);
  });

  it("keep the token and the folder of the page", () => {
    const place = { protocol: "https:", host: "a:1", pathname: "/x/index.html", search: "?token=a%20b" };
    expect(socketAddress(place)).toBe("wss://a:1/x/socket?token=a%20b");
    expect(socketAddress({ protocol: "http:", host: "localhost:8720", pathname: "/", search: "" })).toBe("ws://localhost:8720/socket");
  });
});
