// Shoes of tracks: they follow the line of the belt as the sprocket turns. See render/shoes.py, which does the same.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Poses } from "./poses";
import { distance, tileLength } from "./solids";
import { wrap } from "./surface";
import type { BeltPart, SceneMessage } from "./wire";

/** One belt, and what it takes to place its shoes. */
export class Belt {
  readonly mesh: THREE.InstancedMesh;
  private readonly corners: THREE.Vector3[];
  /** m along the line to each corner, and once around. */
  private readonly way: number[] = [0];
  private readonly across: THREE.Vector3;
  private readonly ahead: THREE.Vector3;
  private readonly start: THREE.Quaternion;
  private readonly own = new THREE.Quaternion();
  private readonly other = new THREE.Quaternion();
  private readonly a = new THREE.Vector3();
  private readonly b = new THREE.Vector3();
  private readonly inward = new THREE.Vector3();
  private readonly matrix = new THREE.Matrix4();

  constructor(readonly part: BeltPart, material: THREE.Material) {
    this.corners = part.corners.map((corner) => new THREE.Vector3(...corner));
    this.corners.forEach((corner, k) => {
      this.way.push(this.way[k]! + corner.distanceTo(this.corners[(k + 1) % this.corners.length]!));
    });
    this.across = new THREE.Vector3(...part.across);
    const up = Math.abs(this.across.z) < 0.7 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(1, 0, 0);
    this.ahead = new THREE.Vector3().crossVectors(this.across, up).normalize();
    const [x, y, z] = part.start;
    this.start = new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().set(...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1)).invert();
    this.mesh = new THREE.InstancedMesh(shoeOf(this.length / part.shoes, part), material, part.shoes);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  /** Of the line, m. */
  get length(): number {
    return this.way[this.way.length - 1]!;
  }

  /** Angle that a sprocket has turned by since the start, rad: right-handed about the axis to the left. */
  turned(frame: THREE.Quaternion, sprocket: THREE.Quaternion): number {
    const now = this.other.copy(frame).invert().multiply(sprocket).multiply(this.start);
    const way = this.a.copy(this.ahead).applyQuaternion(now);
    return Math.atan2(this.across.dot(this.b.crossVectors(this.ahead, way)), this.ahead.dot(way));
  }

  /** Where shoe k is on the line, in the frame of its body, when the sprocket has turned by an angle. */
  place(k: number, angle: number, target: THREE.Matrix4): THREE.Matrix4 {
    const pitch = this.length / this.part.shoes;
    const first = pitch * (k - (angle * this.part.teeth) / (2 * Math.PI) - 0.5);
    this.along(first, this.a);
    this.along(first + pitch, this.b);
    const ahead = this.b.clone().sub(this.a).normalize();
    this.inward.crossVectors(ahead, this.across);
    return target.makeBasis(ahead, this.across, this.inward).setPosition(this.a.add(this.b).multiplyScalar(0.5));
  }

  pose(poses: Poses, share: number): void {
    poses.orientation(this.part.frame, share, this.own);
    const angle = this.turned(this.own, poses.orientation(this.part.sprocket, share, new THREE.Quaternion()));
    for (let k = 0; k < this.part.shoes; k++) this.mesh.setMatrixAt(k, this.place(k, angle, this.matrix));
    this.mesh.instanceMatrix.needsUpdate = true;
    poses.position(this.part.frame, share, this.mesh.position);
    this.mesh.quaternion.copy(this.own);
  }

  private along(way: number, target: THREE.Vector3): void {
    const at = way - Math.floor(way / this.length) * this.length;
    let k = 0;
    while (k + 2 < this.way.length && this.way[k + 1]! <= at) k++;
    const share = (at - this.way[k]!) / Math.max(this.way[k + 1]! - this.way[k]!, 1e-9);
    target.lerpVectors(this.corners[k]!, this.corners[(k + 1) % this.corners.length]!, share);
  }
}

export class Belts {
  readonly object = new THREE.Group();
  private belts: Belt[] = [];

  constructor(private readonly poses: Poses) {}

  build(scene: SceneMessage): void {
    for (const { mesh } of this.belts) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    this.object.clear();
    const tile = tileLength(distance(scene.subject));
    this.belts = (scene.belts ?? []).map((part) => {
      const color = new THREE.Color().setRGB(...part.color, THREE.SRGBColorSpace);
      const steel = new THREE.MeshStandardMaterial({ color, roughness: 0.6, metalness: 0.4 });
      return new Belt(part, wrap(steel, { kind: "steel", tile, strength: 0.6, world: false }));
    });
    for (const { mesh } of this.belts) this.object.add(mesh);
  }

  pose(share: number): void {
    if (this.poses.count > 0) for (const belt of this.belts) belt.pose(this.poses, share);
  }
}

/** A plate with a grouser: x along the belt, y across, z inwards from the grouser's tip, m. */
function shoeOf(pitch: number, part: BeltPart): THREE.BufferGeometry {
  const [plate, bar, gap, thick] = part.thickness;
  const flat = new THREE.BoxGeometry((1 - gap) * pitch, part.width, plate * pitch).translate(0, 0, (bar - 0.5 * plate) * pitch);
  const rib = new THREE.BoxGeometry(thick * pitch, part.width, bar * pitch).translate(0, 0, 0.5 * bar * pitch);
  const shoe = mergeGeometries([flat, rib]);
  shoe.deleteAttribute("uv");
  return shoe;
}
