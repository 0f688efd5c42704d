// Ground: what is known of it, and that tiles at full resolution replace the coarse ones without gaps.

import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { Ground, gridOf, Relief } from "../src/ground";
import type { GroundPart, GroundTile, SceneMessage } from "../src/wire";

function part(stride: number, nx = 100, ny = 70): GroundPart {
  const nodes = [nx, ny].map((n) => Math.ceil((n - 1) / stride) + 1) as [number, number];
  return {
    position: [10, 20, 1], cell: 0.5, shape: [nx, ny], tile: 32, stride, base: -5,
    soils: [{ name: "loam", color: [0.4, 0.3, 0.2] }, { name: "gravel", color: [0.5, 0.5, 0.5] }],
    nodes, heights: [0, nodes[0] * nodes[1]],
  };
}

/** A slope that every stride tells exactly. */
function slope(told: GroundPart): Float32Array {
  const [m, n] = told.nodes, [nx, ny] = told.shape;
  const cell = (k: number, count: number): number => Math.min(k * told.stride, count - 1);
  return Float32Array.from({ length: m * n }, (_, at) => 0.1 * cell(Math.floor(at / n), nx) - 0.05 * cell(at % n, ny));
}

const tile = (tx: number, ty: number, height: number, soil = 1): GroundTile => ({
  tile: [tx, ty], height: new Float32Array(1024).fill(height), soil: new Uint8Array(1024).fill(soil),
});

describe("heights", () => {
  for (const stride of [1, 4, 8]) {
    it(`are linear between every ${stride} told`, () => {
      const told = part(stride), relief = new Relief(told, slope(told));
      for (const [i, j] of [[0, 0], [99, 69], [37, 41], [98, 3], [5, 68]] as const) {
        expect(relief.heightAt(i, j)).toBeCloseTo(0.1 * i - 0.05 * j, 4);
      }
      expect(relief.heightAt(-3, 500)).toBeCloseTo(-0.05 * 69, 4);
    });
  }

  it("are those of a tile where there is one", () => {
    const told = part(4), relief = new Relief(told, slope(told));
    relief.tiles.set(relief.key(1, 0), tile(1, 0, 7));
    expect(relief.heightAt(32, 31)).toBe(7);
    expect(relief.soilAt(40, 3)).toBe(1);
    expect(relief.heightAt(31, 31)).not.toBe(7);
    expect(relief.soilAt(31, 31)).toBe(0);
  });
});

describe("a grid", () => {
  it("faces up, with the normals of the slope", () => {
    const told = part(1), relief = new Relief(told, slope(told));
    const made = gridOf(relief, [0, 1, 2, 3], [5, 6, 7], 1, [new THREE.Color(1, 0, 0)], 0);
    const normal = made.getAttribute("normal"), length = Math.hypot(0.2, 0.1, 1);
    for (let k = 0; k < normal.count; k++) {
      expect(normal.getX(k)).toBeCloseTo(-0.2 / length, 4);
      expect(normal.getZ(k)).toBeCloseTo(1 / length, 4);
    }
    expect(made.getIndex()!.count).toBe(6 * 3 * 2);
    const skirted = gridOf(relief, [0, 1, 2, 3], [5, 6, 7], 1, [new THREE.Color(1, 0, 0)], 0.5);
    expect(skirted.getAttribute("position").count).toBe(12 + 14);
  });
});

describe("ground", () => {
  const meshes = (ground: Ground): THREE.Mesh[] => ground.object.children as THREE.Mesh[];
  const area = (mesh: THREE.Mesh): number => {
    const place = mesh.geometry.getAttribute("position"), index = mesh.geometry.getIndex()!;
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    let total = 0;
    for (let k = 0; k < index.count; k += 3) {
      [a, b, c].forEach((corner, n) => corner.fromBufferAttribute(place, index.getX(k + n)));
      b.sub(a); c.sub(a);
      total += 0.5 * Math.abs(b.x * c.y - b.y * c.x);
    }
    return total;
  };

  for (const stride of [1, 8]) {
    it(`is covered once, also where tiles replace every ${stride}`, () => {
      const told = part(stride), ground = new Ground();
      ground.build({ ground: told, subject: [[0, 0, 0], [1, 1, 1]] } as unknown as SceneMessage, slope(told));
      const whole = 0.25 * 100 * 70;
      expect(area(meshes(ground)[0]!)).toBeCloseTo(whole, 2);
      ground.take([tile(1, 1, 2), tile(2, 2, 3)], 1);
      const flat = meshes(ground).filter((_, k) => k !== 1);  // without the walls, which stand upright
      expect(flat.reduce((sum, mesh) => sum + area(mesh), 0)).toBeCloseTo(whole, 2);
      expect(meshes(ground).length).toBe(2 + 7);
      ground.take([], 2); // time has jumped
      expect(meshes(ground).length).toBe(2);
      expect(area(meshes(ground)[0]!)).toBeCloseTo(whole, 2);
    });
  }

  it("is nothing where a scene has none", () => {
    const ground = new Ground();
    ground.build({ subject: [[0, 0, 0], [1, 1, 1]] } as unknown as SceneMessage, new Float32Array(0));
    ground.take([tile(0, 0, 1)], 1);
    expect(ground.object.children.length).toBe(0);
  });
});
