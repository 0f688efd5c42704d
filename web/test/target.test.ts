// Targets: the wanted height, and colours by how far the ground is from it.

import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { finishWords } from "../src/task";
import { Target } from "../src/target";

const trench = new Target({ middle: [1, 2], along: [0, 1], half: [2, 0.5], height: -1, fall: [0, 0], batter: 1, level: 0, tolerance: 0.05 });

describe("a target", () => {
  it("has a floor and sides that rise to the level", () => {
    expect(trench.heightAt(1, 2)).toBe(-1);
    expect(trench.heightAt(1, 3.9)).toBe(-1);
    expect(trench.heightAt(2, 2)).toBeCloseTo(-0.5);
    expect(trench.heightAt(2.6, 2)).toBeNaN();
    expect(trench.heightAt(1, 4.1)).toBeNaN();
  });

  it("falls along its length", () => {
    const pad = new Target({ middle: [0, 0], along: [0, 1], half: [3, 3], height: 0.5, fall: [0.02, 0.01], batter: 0, level: 0.5, tolerance: 0.03 });
    expect(pad.heightAt(0, 2)).toBeCloseTo(0.54);
    expect(pad.heightAt(-1, 0)).toBeCloseTo(0.51);
    expect(pad.heightAt(0, 3.1)).toBeNaN();
    expect(pad.lines().geometry.getAttribute("position").count).toBe(8);
  });

  it("tints ground blue, green or red, and leaves the rest alone", () => {
    const shade = (x: number, z: number): THREE.Color => trench.tint(x, 2, z, new THREE.Color(0.3, 0.3, 0.3));
    expect(shade(1, 0).b).toBeGreaterThan(shade(1, 0).r);
    expect(shade(1, -1.02).g).toBeGreaterThan(shade(1, -1.02).r);
    expect(shade(1, -2).r).toBeGreaterThan(shade(1, -2).b);
    expect(shade(5, 0).getHex()).toBe(new THREE.Color(0.3, 0.3, 0.3).getHex());
    expect(trench.lines().geometry.getAttribute("position").count).toBe(24);
  });

  it("is told in words", () => {
    const finish = { within: 0.5, depth_error: -0.021, scatter: 0.04, slope_error: 0.01, left: 1.234, over_dig: 0.06 };
    expect(finishWords(finish)).toEqual(["floor 2.1 cm low", "1.23 m³ left", "0.06 m³ too deep"]);
  });
});
