// The piece of a machine in which the operator sits: a frame with panes that one can see out of.

import * as THREE from "three";
import type { MeshPart, SceneMessage, Vec3 } from "./wire";

const POST = 0.07; // thickness of the frame, m
const SILL = 0.5; // height of the panes' lower edge below the eye, m

/** The box around a piece in its body's frame, if an operator's eye is inside. */
export function cabBox(part: MeshPart, scene: Pick<SceneMessage, "machines">, numbers: Float32Array): THREE.Box3 | null {
  for (const { cabin } of scene.machines) {
    if (cabin === null || part.bodies.length !== 1 || part.bodies[0] !== cabin.body) continue;
    const [first, count] = part.corners;
    const box = new THREE.Box3().setFromArray(numbers.subarray(first, first + count));
    if (box.containsPoint(new THREE.Vector3(...cabin.eye))) return box;
  }
  return null;
}

export function cabOf(box: THREE.Box3, eyeHeight: number, paint: Vec3): { frame: THREE.Group; panes: THREE.Mesh } {
  const size = box.getSize(new THREE.Vector3());
  const sill = Math.min(Math.max(eyeHeight - SILL, box.min.z + 0.05), box.max.z - 0.2);
  const dark = standard([0.16, 0.17, 0.18]);
  const bright = standard(paint);
  const frame = new THREE.Group();
  const slab = (x: number, y: number, z: number, sx: number, sy: number, sz: number, material: THREE.Material): void => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(sx, sy, sz), material);
    mesh.position.set(x, y, z);
    mesh.castShadow = mesh.receiveShadow = true;
    frame.add(mesh);
  };
  const cx = 0.5 * (box.min.x + box.max.x), cy = 0.5 * (box.min.y + box.max.y);
  slab(cx, cy, box.max.z - 0.05, size.x + 0.12, size.y + 0.1, 0.1, bright);
  const low = sill - box.min.z;
  if (low > 0.02) {
    // Walls below the panes, not a block: the eye sits between them.
    for (const y of [box.min.y + 0.5 * POST, box.max.y - 0.5 * POST]) slab(cx, y, box.min.z + 0.5 * low, size.x, POST, low, bright);
    for (const x of [box.min.x + 0.5 * POST, box.max.x - 0.5 * POST]) slab(x, cy, box.min.z + 0.5 * low, POST, size.y, low, bright);
  }
  const tall = box.max.z - 0.1 - sill;
  for (const x of [box.min.x + 0.5 * POST, box.max.x - 0.5 * POST]) {
    for (const y of [box.min.y + 0.5 * POST, box.max.y - 0.5 * POST]) slab(x, y, sill + 0.5 * tall, POST, POST, tall, dark);
  }
  const glass = new THREE.MeshStandardMaterial({
    color: "#20303a", transparent: true, opacity: 0.45, roughness: 0.1, metalness: 0.3, depthWrite: false,
  });
  const panes = new THREE.Mesh(new THREE.BoxGeometry(size.x - 0.03, size.y - 0.03, tall), glass);
  panes.position.set(cx, cy, sill + 0.5 * tall);
  return { frame, panes };
}

function standard(color: Vec3): THREE.MeshStandardMaterial {
  return new THREE.MeshStandardMaterial({ color: new THREE.Color().setRGB(...color, THREE.SRGBColorSpace), roughness: 0.5 });
}
