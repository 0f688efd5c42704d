// A surface that the ground is to be brought to: colours of the ground by how far it is from it, and lines around it.

import * as THREE from "three";
import type { SurfacePart } from "./wire";

const HIGH = new THREE.Color("#296bcc"), GOOD = new THREE.Color("#33a847"), LOW = new THREE.Color("#d13829");
const LINE = "#faee8c";
/** Share of the tint: from ten tolerances on, and at the tolerance itself. */
const STRONG = 0.5, FAINT = 0.22;

export class Target {
  constructor(readonly told: SurfacePart) {}

  /** Width of a side seen from above, m. */
  get side(): number {
    return Math.max(this.told.level - this.told.height, 0) * this.told.batter;
  }

  /** Height that is wanted at a place, m; NaN: none is. The same formula as in scene/targets.py. */
  heightAt(x: number, y: number): number {
    const { middle, along, half, height, fall, batter } = this.told;
    const dx = x - middle[0], dy = y - middle[1];
    const u = dx * along[0] + dy * along[1], v = dy * along[0] - dx * along[1];
    const beside = Math.max(Math.abs(v) - half[1], 0);
    if (Math.abs(u) > half[0] || beside > this.side) return NaN;
    const floor = height + fall[0] * u + fall[1] * Math.min(Math.max(v, -half[1]), half[1]);
    return batter > 0 ? floor + beside / batter : floor;
  }

  /** Tints the colour of ground at a place: blue is too high, green is good, red is too low. */
  tint(x: number, y: number, z: number, color: THREE.Color): THREE.Color {
    const error = z - this.heightAt(x, y);
    if (Number.isNaN(error)) return color;
    const far = Math.abs(error) / this.told.tolerance;
    if (far <= 1) return color.lerp(GOOD, 0.5 * (STRONG + FAINT));
    return color.lerp(error > 0 ? HIGH : LOW, FAINT + (STRONG - FAINT) * Math.min((far - 1) / 9, 1));
  }

  /** Lines around the floor and, where there are sides, around their upper edge; ground does not hide them. */
  lines(): THREE.LineSegments {
    const { middle, along, half, height, fall, level } = this.told;
    const at = (u: number, v: number, z: number): [number, number, number] => [
      middle[0] + u * along[0] - v * along[1], middle[1] + u * along[1] + v * along[0], z,
    ];
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const;
    const floor = corners.map(([a, b]) => at(a * half[0], b * half[1], height + fall[0] * a * half[0] + fall[1] * b * half[1]));
    const rings = [floor];
    if (level > height) rings.push(corners.map(([a, b]) => at(a * half[0], b * (half[1] + this.side), level)));
    const points: number[] = [];
    for (const ring of rings) ring.forEach((corner, k) => points.push(...corner, ...ring[(k + 1) % ring.length]!));
    if (rings.length > 1) floor.forEach((corner, k) => points.push(...corner, ...rings[1]![k]!));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    const made = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: LINE, transparent: true, opacity: 0.75, depthTest: false }));
    made.renderOrder = 2;
    return made;
  }
}
