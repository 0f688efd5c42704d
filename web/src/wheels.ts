// A wheel in place of a plain cylinder: lugs and bolts show that it turns.

import * as THREE from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { wrap } from "./surface";
import type { Vec3 } from "./wire";

const LUGS = 22;
const RIM = 0.56; // radius of the rim, of that of the tyre
const GROOVE = 0.93; // radius between the lugs

/** A wheel along z that fills a cylinder of a radius and height, m. */
export function wheelOf(radius: number, height: number, rubber: Vec3, paint: Vec3): THREE.Group {
  const group = new THREE.Group();
  group.add(
    part(tyreGeometry(radius, height), rubber, 0.95, "rubber", radius),
    part(rimGeometry(radius, height), paint, 0.55, "steel", radius),
  );
  return group;
}

function part(geometry: THREE.BufferGeometry, color: Vec3, roughness: number, kind: "rubber" | "steel", radius: number): THREE.Mesh {
  const material = new THREE.MeshStandardMaterial({ side: THREE.DoubleSide, roughness, color: new THREE.Color().setRGB(...color, THREE.SRGBColorSpace) });
  const mesh = new THREE.Mesh(geometry, wrap(material, { kind, tile: radius, strength: 0.5, world: false }));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function tyreGeometry(radius: number, height: number): THREE.BufferGeometry {
  const half = 0.5 * height;
  const groove = GROOVE * radius;
  // From the inner edge of one side over the tread to the other, (r, along the axis).
  const line = [
    [RIM * radius, 0.62 * half], [RIM * radius, 0.86 * half], [0.72 * radius, 0.98 * half], [0.86 * radius, 0.94 * half],
    [groove, 0.72 * half], [groove, -0.72 * half], [0.86 * radius, -0.94 * half], [0.72 * radius, -0.98 * half],
    [RIM * radius, -0.86 * half], [RIM * radius, -0.62 * half],
  ].map(([r, z]) => new THREE.Vector2(r, -z!));
  const pieces: THREE.BufferGeometry[] = [plain(new THREE.LatheGeometry(line, 48).rotateX(Math.PI / 2))];
  const width = (2 * Math.PI * radius * 0.42) / LUGS;
  for (let k = 0; k < LUGS; k++) {
    const side = k % 2 === 0 ? 1 : -1;
    const lug = new THREE.BoxGeometry((1 - GROOVE) * radius + 0.03 * radius, width, 0.62 * height);
    lug.rotateX(side * 0.5);
    lug.translate(0.5 * (1 + GROOVE) * radius - 0.015 * radius, 0, side * 0.2 * height);
    lug.rotateZ((2 * Math.PI * k) / LUGS);
    pieces.push(plain(lug));
  }
  return mergeGeometries(pieces);
}

function rimGeometry(radius: number, height: number): THREE.BufferGeometry {
  const pieces: THREE.BufferGeometry[] = [];
  for (const side of [1, -1]) {
    const turn = side > 0 ? 0 : Math.PI;
    const dish = [[0, 0.3], [0.2, 0.3], [0.24, 0.2], [0.44, 0.2], [RIM, 0.4], [RIM, 0.44]].map(
      ([r, z]) => new THREE.Vector2(r! * radius, z! * height),
    );
    pieces.push(plain(new THREE.LatheGeometry(dish, 36).rotateX(Math.PI / 2).rotateX(turn)));
    for (let k = 0; k < 6; k++) {
      const bolt = new THREE.CylinderGeometry(0.045 * radius, 0.045 * radius, 0.12 * height, 6).rotateX(Math.PI / 2);
      bolt.translate(0.34 * radius, 0, 0.24 * height);
      pieces.push(plain(bolt.rotateZ((Math.PI * k) / 3).rotateX(turn)));
    }
  }
  return mergeGeometries(pieces);
}

function plain(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const flat = geometry.index === null ? geometry : geometry.toNonIndexed();
  flat.deleteAttribute("uv");
  return flat;
}
