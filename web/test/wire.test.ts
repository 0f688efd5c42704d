// Decoding, against the frame that the Python side is tested with.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BODY_FLOATS, decodeFrame, decodeGeometry, kindOf, WireError } from "../src/wire";

const folder = new URL("../../tests/view/wire/", import.meta.url);
const file = readFileSync(new URL("frame.bin", folder));
const bytes = (): ArrayBuffer => file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
const wanted = JSON.parse(readFileSync(new URL("frame.json", folder), "utf-8"));

describe("the known frame", () => {
  const frame = decodeFrame(bytes());

  it("has its numbers", () => {
    expect(frame.sequence).toBe(wanted.sequence);
    expect(frame.generation).toBe(wanted.generation);
    expect(frame.epoch).toBe(wanted.epoch);
    expect(frame.time).toBe(wanted.time);
    expect(frame.notes).toEqual(wanted.notes);
    expect(frame.quantity).toBe("speed");
  });

  it("has its grains where they were, to half a step of the box", () => {
    expect(frame.count).toBe(5);
    wanted.position.forEach((place: number, k: number) => {
      expect(Math.abs(frame.position[k]! - place)).toBeLessThanOrEqual((0.51 / 65535) * wanted.box[k % 3] + 1e-7);
    });
    wanted.speed.forEach((speed: number, k: number) => expect(frame.value[k]).toBeCloseTo(speed, 3));
  });

  it("has its tile of the ground", () => {
    expect(frame.tiles.length).toBe(1);
    const { tile, height, soil } = frame.tiles[0]!;
    expect(tile).toEqual([3, 1]);
    expect(height[0]).toBeCloseTo(-1, 4);
    expect(height[1023]).toBeCloseTo(2, 4);
    expect(height[100]).toBeCloseTo(-1 + (3 * 100) / 1023, 3);
    expect([...soil.slice(0, 5)]).toEqual([0, 1, 2, 0, 1]);
  });

  it("has its roster", () => {
    expect([...frame.roster!.id]).toEqual(wanted.id);
    expect([...frame.roster!.material]).toEqual(wanted.material);
    wanted.radius.forEach((radius: number, k: number) => expect(frame.roster!.radius[k]).toBeCloseTo(radius, 5));
    expect(frame.roster!.number).toBe(frame.rosterNumber);
  });

  it("has its bodies", () => {
    for (let body = 0; body < 2; body++) {
      const at = body * BODY_FLOATS;
      for (let c = 0; c < 3; c++) {
        expect(frame.bodies[at + c]).toBeCloseTo(wanted.body_position[3 * body + c]);
        expect(frame.bodies[at + 7 + c]).toBeCloseTo(wanted.body_force[3 * body + c]);
      }
      for (let c = 0; c < 4; c++) expect(frame.bodies[at + 3 + c]).toBeCloseTo(wanted.body_quaternion[4 * body + c]);
    }
  });
});

describe("what is not whole", () => {
  it("is refused", () => {
    for (const length of [0, 3, 79, 80, file.byteLength - 1]) {
      expect(() => decodeFrame(bytes().slice(0, length))).toThrow(WireError);
    }
    expect(() => kindOf(new ArrayBuffer(8))).toThrow(WireError);
  });

  it("is refused as geometry, too", () => {
    const block = new Uint32Array([0x314d5257, 4, 2, 0, 0, 0]);
    new Float32Array(block.buffer, 16).set([1.5, -2]);
    expect(decodeGeometry(block.buffer)).toEqual({ generation: 4, numbers: new Float32Array([1.5, -2]) });
    expect(() => decodeGeometry(block.buffer.slice(0, 20))).toThrow(WireError);
  });
});
