// Soil in the beds of trucks: surfaces of heights that move with their bodies.

import * as THREE from "three";
import type { Poses } from "./poses";
import { distance, tileLength } from "./solids";
import { wrap } from "./surface";
import { surfaceOf } from "./textures";
import type { BedNote, SceneMessage } from "./wire";

export class Beds {
  readonly object = new THREE.Group();
  private materials: THREE.MeshStandardMaterial[] = [];
  private shown = new Map<string, { row: number; heights: string; mesh: THREE.Mesh }>();

  constructor(private readonly poses: Poses) {}

  build(scene: SceneMessage): void {
    this.take({});
    for (const material of this.materials) material.dispose();
    const soils = scene.ground?.soils ?? [];
    this.materials = soils.map(({ name, color }) => wrap(
      new THREE.MeshStandardMaterial({ color: new THREE.Color().setRGB(...color, THREE.SRGBColorSpace), roughness: 1, metalness: 0, side: THREE.DoubleSide }),
      { kind: surfaceOf({ name, soil: name }), tile: tileLength(distance(scene.subject)), strength: 0.6, world: false },
    ));
  }

  /** Shows these beds and no others; one is made anew only where its heights have changed. */
  take(beds: Record<string, BedNote>): void {
    for (const [name, { mesh }] of this.shown) {
      if (name in beds) continue;
      this.object.remove(mesh);
      mesh.geometry.dispose();
      this.shown.delete(name);
    }
    for (const [name, bed] of Object.entries(beds)) {
      const heights = JSON.stringify(bed.heights);
      const known = this.shown.get(name);
      if (known?.heights === heights) continue;
      const material = this.materials[bed.soil] ?? this.materials[0];
      if (material === undefined) continue;
      if (known !== undefined) {
        known.mesh.geometry.dispose();
        known.mesh.geometry = surfaceOfBed(bed);
        known.heights = heights;
        continue;
      }
      const mesh = new THREE.Mesh(surfaceOfBed(bed), material);
      mesh.castShadow = mesh.receiveShadow = true;
      this.object.add(mesh);
      this.shown.set(name, { row: bed.row, heights, mesh });
    }
  }

  pose(share: number): void {
    for (const { row, mesh } of this.shown.values()) {
      this.poses.position(row, share, mesh.position);
      this.poses.orientation(row, share, mesh.quaternion);
    }
  }
}

/** Triangles of a bed in the frame of its body, m. */
export function surfaceOfBed(bed: BedNote): THREE.BufferGeometry {
  const n = bed.heights.length, m = bed.heights[0]?.length ?? 0;
  const position: number[] = [], index: number[] = [];
  const along = (k: number, many: number, axis: 0 | 1): number => bed.lower[axis] + ((bed.upper[axis] - bed.lower[axis]) * k) / (many - 1);
  for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) position.push(along(i, n, 0), along(j, m, 1), 1e-3 * bed.heights[i]![j]!);
  for (let i = 0; i + 1 < n; i++) {
    for (let j = 0; j + 1 < m; j++) {
      const a = i * m + j;
      index.push(a, a + m, a + m + 1, a, a + m + 1, a + 1);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return geometry;
}
