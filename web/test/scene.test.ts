// A scene as the server tells it; tests/view/wire_fixture.py writes the files that both sides read.

import { readFileSync } from "node:fs";
import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { arraysOf, surfacesOf } from "../src/balls";
import { shortWay } from "../src/cameras";
import { listedBodies } from "../src/force";
import { isTyre, lookOf } from "../src/looks";
import { BODIES_PER_LINE, Poses } from "../src/poses";
import { brightnessTile, SURFACES, surfaceOf } from "../src/textures";
import { BODY_FLOATS, decodeGeometry, type MeshPart, type SceneMessage } from "../src/wire";

const folder = new URL("../../tests/view/wire/", import.meta.url);
const file = readFileSync(new URL("geometry.bin", folder));
const scene = JSON.parse(readFileSync(new URL("scene.json", folder), "utf-8")) as SceneMessage;
const { generation, numbers } = decodeGeometry(
  file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer,
);

describe("the known scene", () => {
  it("fits its block of geometry", () => {
    expect(generation).toBe(scene.generation);
    expect(scene.ground!.heights[1]).toBe(scene.ground!.nodes[0] * scene.ground!.nodes[1]);
    const spans = [scene.ground!.heights, ...scene.meshes.flatMap((mesh) => [mesh.corners, mesh.normals, mesh.edges]), ...scene.balls.map((ball) => ball.rows)];
    for (const [first, count] of spans) expect(first + count).toBeLessThanOrEqual(numbers.length);
    for (const mesh of scene.meshes) {
      expect(mesh.corners[1] % 9).toBe(0);
      expect(mesh.normals[1]).toBe(mesh.corners[1]);
      for (const body of mesh.bodies) expect(body).toBeLessThan(scene.bodies.length);
      const normal = numbers.subarray(mesh.normals[0], mesh.normals[0] + 3);
      expect(Math.hypot(...normal)).toBeCloseTo(1, 4);
    }
  });

  it("has machines whose parts are bodies of it", () => {
    expect(scene.machines.length).toBeGreaterThan(0);
    for (const { cabin, tool, follow } of scene.machines) {
      for (const row of [cabin?.body, tool?.body, follow]) if (row !== undefined) expect(scene.bodies[row]!.machine).toBe(0);
    }
    expect(scene.controls.map((control) => control.role)).toContain("throttle");
    expect(scene.task?.target).toBeGreaterThan(0);
  });

  it("has balls that know their body and size", () => {
    const made = arraysOf(scene, surfacesOf(scene), numbers);
    const total = scene.balls.reduce((sum, part) => sum + part.rows[1] / 4, 0);
    expect(total).toBeGreaterThan(1);
    expect(made.radius.length).toBe(total);
    expect(made.row[0]).toBe(scene.balls[0]!.body);
    const first = scene.balls[0]!.rows[0];
    expect([...made.position.slice(0, 3)]).toEqual([...numbers.slice(first, first + 3)]);
    expect(made.radius[0]).toBe(numbers[first + 3]);
    expect(Math.min(...made.radius)).toBeGreaterThan(0);
  });

  it("gives balls of each material a look of their own", () => {
    const balls = { color: [0.5, 0.5, 0.5] as [number, number, number] };
    const mixed = {
      materials: [{ name: "granite", color: balls.color }, { name: "oak wood", color: balls.color }],
      balls: [
        { ...balls, body: 3, material: 1, rows: [0, 8] as [number, number] },
        { ...balls, body: 4, material: 0, rows: [8, 4] as [number, number] },
        { ...balls, body: 5, material: 1, rows: [12, 4] as [number, number] },
      ],
    };
    const kinds = surfacesOf(mixed);
    expect(kinds).toEqual(["wood", "rock"]);
    const { skin } = arraysOf(mixed, kinds, Float32Array.of(0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 0, 0.5, 0, 0, 0, 3));
    const rows = [0, 1, 2, 3].map((k) => [kinds[skin[2 * k]!], skin[2 * k + 1]!]);
    expect(rows.map(([kind]) => kind)).toEqual(["wood", "wood", "rock", "wood"]);
    expect(rows[0]![1]).toBeCloseTo(1 / (6 * 2)); // a mean radius of 2 m
    expect(rows[2]![1]).toBeCloseTo(1 / (6 * 0.5));
  });

  it("has round bodies that are drawn as wheels if they are of rubber, and only then", () => {
    const round = scene.meshes.filter((mesh) => mesh.shape?.kind === "cylinder");
    expect(round.length).toBeGreaterThan(0);
    expect(isTyre(round[0]!, { name: "roller", moves: true, kind: "body", machine: -1 }, "steel")).toBe(false);
    expect(isTyre(round[0]!, { name: "roller", moves: true, kind: "body", machine: -1 }, "rubber")).toBe(true);
    const { shape: _, ...bare } = round[0]!;
    expect(isTyre(bare, { name: "wheel", moves: true, kind: "body", machine: 0 }, "rubber")).toBe(false);
  });
});

describe("looks", () => {
  const part = (color: [number, number, number]): MeshPart => ({
    bodies: [0], look: "solid", color, material: 0, corners: [0, 0], normals: [0, 0], edges: [0, 0],
  });
  const told = (name: string): Pick<SceneMessage, "bodies" | "materials" | "machines"> => ({
    bodies: [{ name, moves: true, kind: "body", machine: 0 }], materials: [{ name: "steel", color: [0.6, 0.63, 0.67] }], machines: [],
  });

  it("keep a colour that the scene gives, and paint what has none", () => {
    expect(lookOf(part([0.1, 0.2, 0.3]), told("frame")).color).toEqual([0.1, 0.2, 0.3]);
    const plain = lookOf(part([0.6, 0.63, 0.67]), told("frame")).color;
    expect(plain[0]).toBeGreaterThan(plain[2] + 0.3);
    expect(lookOf(part([0.6, 0.63, 0.67]), told("bucket")).color).not.toEqual(plain);
  });

  it("follow soils and names", () => {
    expect(surfaceOf({ name: "bed", soil: "dry_sand" })).toBe("sand");
    expect(surfaceOf({ name: "loader_tyre", soil: "" })).toBe("rubber");
    expect(surfaceOf({ name: "wet clay" })).toBe("clay");
    expect(surfaceOf(undefined)).toBe("concrete");
  });

  it("have textures of middle brightness that repeat without a seam", () => {
    const size = 64;
    for (const kind of SURFACES) {
      const tile = brightnessTile(kind, size);
      const mean = tile.reduce((sum, value) => sum + value, 0) / tile.length;
      expect(Math.abs(mean - 127.5)).toBeLessThan(6);
      expect(new Set(tile).size).toBeGreaterThan(10);
      let inside = 0, across = 0;
      for (let j = 0; j < size; j++) {
        inside += Math.abs(tile[j * size + 31]! - tile[j * size + 32]!);
        across += Math.abs(tile[j * size + size - 1]! - tile[j * size]!);
      }
      expect(across).toBeLessThan(2.5 * inside + 2 * size);
    }
  });
});

describe("poses", () => {
  const rows = (...poses: number[][]): Float32Array => {
    const made = new Float32Array(poses.length * BODY_FLOATS);
    poses.forEach((pose, k) => made.set(pose, k * BODY_FLOATS));
    return made;
  };
  const turned = (angle: number): number[] => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  const angleOf = (q: THREE.Quaternion): number => 2 * Math.atan2(q.z, q.w);

  it("go straight and turn evenly between two frames", () => {
    const poses = new Poses();
    poses.take(rows([0, 0, 0, ...turned(0)], [1, 1, 1, ...turned(0)]), false);
    poses.take(rows([0, 0, 0, ...turned(0)], [3, 1, 0, ...turned(1.2)]), true);
    expect(poses.count).toBe(2);
    expect(poses.position(1, 0.25, new THREE.Vector3()).toArray()).toEqual([1.5, 1, 0.75]);
    expect(angleOf(poses.orientation(1, 0.25, new THREE.Quaternion()))).toBeCloseTo(0.3, 5);
    expect(angleOf(poses.orientation(1, 1, new THREE.Quaternion()))).toBeCloseTo(1.2, 5);
  });

  it("turn the short way when the quaternion changes its sign", () => {
    const poses = new Poses();
    poses.take(rows([0, 0, 0, ...turned(3.1)]), false);
    poses.take(rows([0, 0, 0, ...turned(3.3).map((x) => -x)]), true);
    expect(angleOf(poses.orientation(0, 0.5, new THREE.Quaternion()))).toBeCloseTo(3.2, 4);
  });

  it("jump where a frame does not continue the one before", () => {
    const poses = new Poses();
    poses.take(rows([0, 0, 0, 0, 0, 0, 1]), false);
    poses.take(rows([4, 0, 0, 0, 0, 0, 1]), false);
    expect(poses.position(0, 0.1, new THREE.Vector3()).x).toBe(4);
    expect(poses.position(7, 0.1, new THREE.Vector3(9, 9, 9)).x).toBe(9);
  });

  it("lie in the texture two cells to a body, line by line", () => {
    const poses = new Poses();
    const many = BODIES_PER_LINE + 3;
    poses.take(rows(...Array.from({ length: many }, (_, k) => [k, 2 * k, 3 * k, 0, 0, 0, 1])), false);
    poses.fill(1);
    const { data, width, height } = poses.texture.value.image as { data: Float32Array; width: number; height: number };
    expect([width, height]).toEqual([2 * BODIES_PER_LINE, 2]);
    const last = many - 1;
    const cell = 4 * (Math.floor(last / BODIES_PER_LINE) * width + 2 * (last % BODIES_PER_LINE));
    expect([...data.slice(cell, cell + 3)]).toEqual([last, 2 * last, 3 * last]);
    expect([...data.slice(cell + 4, cell + 8)]).toEqual([0, 0, 0, 1]);
  });
});

describe("lists and angles", () => {
  it("leave out hundreds of rocks, but not the machine", () => {
    const rock = { name: "rock", moves: true, kind: "body", machine: -1 } as const;
    const few = { bodies: [rock, rock] };
    expect(listedBodies(few)).toEqual([0, 1]);
    const many = { bodies: [{ ...rock, kind: "obstacle" as const }, ...Array.from({ length: 500 }, () => rock), { ...rock, machine: 0 }] };
    expect(listedBodies(many)).toEqual([0, 501]);
  });

  it("go the short way round", () => {
    expect(shortWay(1.5 * Math.PI)).toBeCloseTo(-0.5 * Math.PI);
    expect(shortWay(-3 * Math.PI + 0.1)).toBeCloseTo(-Math.PI + 0.1);
  });
});
