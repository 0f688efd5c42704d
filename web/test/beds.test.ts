// Beds: their surface lies where the heights say, follows them, and goes when the bed is empty.

import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { Beds, surfaceOfBed } from "../src/beds";
import { Poses } from "../src/poses";
import { BODY_FLOATS, type BedNote, type SceneMessage } from "../src/wire";

const bed = (height: number): BedNote => ({ row: 1, lower: [-1, -2], upper: [3, 2], soil: 0, heights: [[0, height], [0, height], [0, height]] });
const scene = { subject: [[0, 0, 0], [4, 4, 4]], ground: { soils: [{ name: "loam", color: [0.4, 0.3, 0.2] }] } } as unknown as SceneMessage;

describe("surface", () => {
  it("spans the bed, at its heights", () => {
    const geometry = surfaceOfBed(bed(500));
    geometry.computeBoundingBox();
    expect(geometry.boundingBox!.min.toArray()).toEqual([-1, -2, 0]);
    expect(geometry.boundingBox!.max.toArray()).toEqual([3, 2, 0.5]);
    expect(geometry.index!.count).toBe(12);
    expect(geometry.getAttribute("normal").getZ(0)).toBeGreaterThan(0.9);
  });
});

describe("beds", () => {
  it("come, change, move with their body and go", () => {
    const poses = new Poses(), beds = new Beds(poses);
    beds.build(scene);
    beds.take({ bed: bed(500) });
    const mesh = beds.object.children[0] as THREE.Mesh, first = mesh.geometry;
    beds.take({ bed: bed(500) });
    expect(mesh.geometry).toBe(first);
    beds.take({ bed: bed(800) });
    expect(mesh.geometry).not.toBe(first);
    const bodies = new Float32Array(2 * BODY_FLOATS);
    bodies.set([7, 8, 9, 0, 0, 0, 1], BODY_FLOATS);
    poses.take(bodies, false);
    beds.pose(1);
    expect(mesh.position.toArray()).toEqual([7, 8, 9]);
    beds.take({});
    expect(beds.object.children).toHaveLength(0);
  });
});
