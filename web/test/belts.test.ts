// Belts: shoes lie around the line, and go backwards on the ground when the sprocket rolls ahead.

import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { Belt, Belts } from "../src/belts";
import { Poses } from "../src/poses";
import { BODY_FLOATS, type BeltPart, type SceneMessage } from "../src/wire";

const part: BeltPart = {
  frame: 0, sprocket: 1, corners: [[-2, 1, 0], [2, 1, 0], [2, 1, 1], [-2, 1, 1]], across: [0, 1, 0],
  start: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], width: 0.5, shoes: 50, teeth: 10, color: [0.2, 0.2, 0.2],
  thickness: [0.2, 0.3, 0.06, 0.1],
};
const about = (angle: number): THREE.Quaternion => new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), angle);
const at = (belt: Belt, k: number, angle: number): THREE.Vector3 => new THREE.Vector3().setFromMatrixPosition(belt.place(k, angle, new THREE.Matrix4()));

describe("belt", () => {
  const belt = new Belt(part, new THREE.MeshBasicMaterial());

  it("has its shoes on the line, a pitch apart", () => {
    expect(belt.length).toBeCloseTo(10);
    expect(at(belt, 10, 0).x).toBeCloseTo(0);
    expect(at(belt, 11, 0).x).toBeCloseTo(0.2);
    const shoe = belt.mesh.geometry;
    shoe.computeBoundingBox();
    expect(shoe.boundingBox!.min.z).toBeCloseTo(0);
    const inwards = new THREE.Vector3().setFromMatrixColumn(belt.place(10, 0, new THREE.Matrix4()), 2);
    expect(inwards.z).toBeCloseTo(1);
  });

  it("knows how far the sprocket has turned, however the machine stands", () => {
    const frame = new THREE.Quaternion().setFromEuler(new THREE.Euler(0.3, -0.2, 1.1));
    expect(belt.turned(frame, frame.clone().multiply(about(0.7)))).toBeCloseTo(0.7);
    expect(belt.turned(frame, frame.clone().multiply(about(-2.5)))).toBeCloseTo(-2.5);
  });

  it("goes backwards on the ground when it rolls ahead, and around without a jump", () => {
    expect(at(belt, 10, 0.1).x).toBeCloseTo((-0.1 / (2 * Math.PI)) * 10 * 0.2);
    const before = at(belt, 10, Math.PI), after = at(belt, 0, -Math.PI);
    expect(before.distanceTo(after)).toBeCloseTo(0);
  });
});

describe("belts", () => {
  it("move with their machines, and go with the scene", () => {
    const poses = new Poses(), belts = new Belts(poses);
    belts.build({ subject: [[0, 0, 0], [4, 4, 4]], belts: [part] } as unknown as SceneMessage);
    const bodies = new Float32Array(2 * BODY_FLOATS);
    bodies.set([7, 8, 9, 0, 0, 0, 1], 0);
    bodies.set([7, 8, 9, ...about(0.1).toArray()], BODY_FLOATS);
    poses.take(bodies, false);
    belts.pose(1);
    const mesh = belts.object.children[0] as THREE.InstancedMesh, shoe = new THREE.Matrix4();
    expect(mesh.position.toArray()).toEqual([7, 8, 9]);
    mesh.getMatrixAt(10, shoe);
    expect(new THREE.Vector3().setFromMatrixPosition(shoe).x).toBeLessThan(-0.02);
    belts.build({ subject: [[0, 0, 0], [4, 4, 4]] } as unknown as SceneMessage);
    expect(belts.object.children).toHaveLength(0);
  });
});
