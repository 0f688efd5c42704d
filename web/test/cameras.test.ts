// Where the cameras stand.

import * as THREE from "three";
import { beforeEach, describe, expect, it } from "vitest";
import { Cameras } from "../src/cameras";
import { Poses } from "../src/poses";
import { BODY_FLOATS, type SceneMessage } from "../src/wire";

const HALF = Math.SQRT1_2;

/** A machine that has turned left by 90°, so that it looks along y. */
const machine = { name: "m", title: "m", cabin: { body: 1, eye: [0.5, 0, 2], look: [5, 0, 1] }, tool: null, follow: 1 };
const scene = (machines: unknown[]): SceneMessage =>
  ({
    title: `scene with ${machines.length}`, machines, subject: [[-5, -5, 0], [5, 5, 2]], camera: { eye: [20, -20, 10], target: [0, 0, 1], field_of_view_deg: 35 },
    bodies: [{ name: "floor", moves: false, kind: "obstacle", machine: -1 }, { name: "frame", moves: true, kind: "body", machine: 0 }],
  }) as unknown as SceneMessage;

const canvas = (): HTMLCanvasElement => {
  const quiet = { addEventListener: () => {}, removeEventListener: () => {} };
  return { ...quiet, style: {}, clientWidth: 100, clientHeight: 100, ownerDocument: quiet, getRootNode: () => quiet } as unknown as HTMLCanvasElement;
};

describe("cameras", () => {
  let poses: Poses;
  let cameras: Cameras;
  const put = (x: number, y: number, follows = false): void => {
    const rows = new Float32Array(2 * BODY_FLOATS);
    rows.set([0, 0, 0, 0, 0, 0, 1]);
    rows.set([x, y, 1, 0, 0, HALF, HALF], BODY_FLOATS);
    poses.take(rows, follows);
  };
  const ahead = (): THREE.Vector3 => cameras.camera.getWorldDirection(new THREE.Vector3());

  beforeEach(() => {
    poses = new Poses();
    cameras = new Cameras(canvas(), poses);
    put(10, 4);
  });

  it("chase a machine from behind and above, and stay with it", () => {
    cameras.build(scene([machine]));
    expect(cameras.way).toBe("chase");
    cameras.update(1, 0.016);
    const { position } = cameras.camera;
    expect(position.x).toBeCloseTo(10, 3);
    expect(position.y).toBeLessThan(4 - 5);
    expect(position.z).toBeGreaterThan(3);
    expect(ahead().y).toBeGreaterThan(0.5);
    const before = position.clone();
    put(10, 14);
    cameras.update(1, 0.016);
    expect(cameras.camera.position.y - before.y).toBeCloseTo(10, 3);
  });

  it("begin where the machine says, along its heading, and change between cabin and outside", () => {
    cameras.build(scene([{ ...machine, view: { eye: [6, -8, 4], look: [3, 0, 0] } }]));
    expect(cameras.way).toBe("orbit");
    cameras.update(1, 0.016);
    const place = cameras.camera.position;
    expect([place.x, place.y, place.z].map((v) => Math.round(v))).toEqual([18, 10, 5]);
    expect(cameras.controls.target.toArray().map((v) => Math.round(v))).toEqual([10, 7, 1]);
    expect(cameras.other).toBe("cabin");
    cameras.look("chase");
    cameras.look("cabin");
    expect(cameras.other).toBe("chase");
  });

  it("sit in the cabin, at the eye and looking where it looks", () => {
    cameras.build(scene([machine]));
    cameras.look("cabin");
    cameras.update(1, 0.016);
    expect(cameras.camera.position.toArray().map((v) => Number(v.toFixed(4)))).toEqual([10, 4.5, 3]);
    const wanted = new THREE.Vector3(0, 4.5, -1).normalize();
    expect(ahead().angleTo(wanted)).toBeLessThan(1e-3);
  });

  it("carry a headset to the same eye, upright", () => {
    cameras.build(scene([machine]));
    cameras.seat(1);
    cameras.rig.updateMatrixWorld(true);
    expect(cameras.camera.getWorldPosition(new THREE.Vector3()).distanceTo(new THREE.Vector3(10, 4.5, 3))).toBeLessThan(1e-4);
    expect(ahead().angleTo(new THREE.Vector3(0, 1, 0))).toBeLessThan(1e-3);
    const up = new THREE.Vector3(0, 1, 0).applyQuaternion(cameras.rig.quaternion);
    expect(up.z).toBeCloseTo(1);
    put(20, 4);
    cameras.seat(1);
    expect(cameras.rig.position.x).toBeCloseTo(20, 4);
    cameras.unseat();
    expect(cameras.rig.position.length()).toBe(0);
  });

  it("orbit around the machine, and follow it", () => {
    cameras.build(scene([machine]));
    cameras.look("orbit");
    cameras.update(1, 0.016);
    const before = cameras.camera.position.clone();
    expect(before.distanceTo(new THREE.Vector3(10, 4, 1))).toBeLessThan(17.1);
    put(13, 4);
    cameras.update(1, 0.016);
    expect(cameras.camera.position.x - before.x).toBeCloseTo(3, 3);
  });

  it("stand further off on an upright screen, in the same direction", () => {
    cameras.room = 0.65;
    cameras.build(scene([]));
    cameras.update(1, 0.016);
    const away = cameras.camera.position.clone().sub(new THREE.Vector3(0, 0, 1));
    expect(away.length()).toBeCloseTo(2 * new THREE.Vector3(20, -20, 9).length(), 3);
    expect(away.angleTo(new THREE.Vector3(20, -20, 9))).toBeLessThan(1e-3);
  });

  it("orbit where the scene says when there is no machine, and have no cabin", () => {
    cameras.build(scene([]));
    expect(cameras.way).toBe("orbit");
    expect(cameras.offers("cabin")).toBe(false);
    cameras.look("cabin");
    expect(cameras.way).toBe("orbit");
    cameras.update(1, 0.016);
    expect(cameras.camera.position.distanceTo(new THREE.Vector3(20, -20, 10))).toBeLessThan(1e-6);
    // A headset stands there, level, and stays there.
    for (let k = 0; k < 2; k++) {
      cameras.seat(1);
      expect(cameras.rig.position.distanceTo(new THREE.Vector3(20, -20, 10))).toBeLessThan(1e-6);
      cameras.rig.updateMatrixWorld(true);
      expect(ahead().angleTo(new THREE.Vector3(-1, 1, 0))).toBeLessThan(1e-3);
    }
    cameras.unseat();
    expect(cameras.camera.position.distanceTo(new THREE.Vector3(20, -20, 10))).toBeLessThan(1e-6);
  });
});
