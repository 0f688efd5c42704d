// Where bodies are between two frames: positions go straight, orientations along the shortest arc.

import * as THREE from "three";
import { BODY_FLOATS } from "./wire";

/** Bodies in one line of the texture; each takes two of its cells. */
export const BODIES_PER_LINE = 512;

export class Poses {
  /** Position (xyz) and quaternion of each body at the moment drawn, for shaders that place by body. */
  readonly texture: { value: THREE.DataTexture };
  private before: Float32Array = new Float32Array(0);
  private now: Float32Array = new Float32Array(0);
  private cells: Float32Array = new Float32Array(0);
  private readonly turn = new THREE.Quaternion();
  private readonly goal = new THREE.Quaternion();
  private readonly place = new THREE.Vector3();

  constructor() {
    this.texture = { value: this.textureFor(1) };
  }

  get count(): number {
    return this.now.length / BODY_FLOATS;
  }

  clear(): void {
    this.before = this.now = new Float32Array(0);
  }

  /** Where the bodies are from now on; `follows`: they glide there from where they were. */
  take(bodies: Float32Array, follows: boolean): void {
    this.before = follows && this.now.length === bodies.length ? this.now : bodies;
    this.now = bodies;
  }

  /** Leaves `target` as it is when there is no such body. */
  position(body: number, share: number, target: THREE.Vector3): THREE.Vector3 {
    const k = body * BODY_FLOATS;
    if (body < 0 || k + 2 >= this.now.length) return target;
    const at = (c: number): number => this.before[k + c]! + (this.now[k + c]! - this.before[k + c]!) * share;
    return target.set(at(0), at(1), at(2));
  }

  orientation(body: number, share: number, target: THREE.Quaternion): THREE.Quaternion {
    const k = body * BODY_FLOATS + 3;
    if (body < 0 || k + 3 >= this.now.length) return target;
    return target.fromArray(this.before, k).slerp(this.goal.fromArray(this.now, k), share);
  }

  /** m/s, from the two frames and the time between them, s. */
  velocity(body: number, seconds: number, target: THREE.Vector3): THREE.Vector3 {
    const k = body * BODY_FLOATS;
    if (body < 0 || seconds <= 0 || k + 2 >= this.now.length) return target.set(0, 0, 0);
    const at = (c: number): number => (this.now[k + c]! - this.before[k + c]!) / seconds;
    return target.set(at(0), at(1), at(2));
  }

  /** Brings the texture up to date. */
  fill(share: number): void {
    const count = this.count;
    if (count === 0) return;
    const lines = Math.ceil(count / BODIES_PER_LINE);
    if (this.texture.value.image.height !== lines) {
      this.texture.value.dispose();
      this.texture.value = this.textureFor(lines);
    }
    for (let body = 0; body < count; body++) {
      this.position(body, share, this.place).toArray(this.cells, 8 * body);
      this.orientation(body, share, this.turn).toArray(this.cells, 8 * body + 4);
    }
    this.texture.value.needsUpdate = true;
  }

  private textureFor(lines: number): THREE.DataTexture {
    this.cells = new Float32Array(lines * BODIES_PER_LINE * 8);
    return new THREE.DataTexture(this.cells, 2 * BODIES_PER_LINE, lines, THREE.RGBAFormat, THREE.FloatType);
  }
}
