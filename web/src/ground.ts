// Ground that can be dug: coarse where nothing has happened, tiles at full resolution where something has.

import * as THREE from "three";
import { wrap } from "./surface";
import { Target } from "./target";
import { surfaceOf } from "./textures";
import type { GroundPart, GroundTile, SceneMessage } from "./wire";
import { distance, tileLength } from "./solids";

/** Brightness of the walls at the edge over that of the surface. */
const WALL_SHADE = 0.7;

/** Heights and soils of all cells, as far as this page knows them. */
export class Relief {
  readonly tiles = new Map<number, GroundTile>();

  constructor(readonly told: GroundPart, private readonly heights: Float32Array) {}

  /** Tiles along an axis. */
  along(axis: 0 | 1): number {
    return Math.ceil(this.told.shape[axis] / this.told.tile);
  }

  key(tx: number, ty: number): number {
    return tx * this.along(1) + ty;
  }

  /** Height of a cell above the ground's position, m; beyond the edge that of the edge. */
  heightAt(i: number, j: number): number {
    const { shape: [nx, ny], tile } = this.told;
    const a = Math.min(Math.max(i, 0), nx - 1), b = Math.min(Math.max(j, 0), ny - 1);
    const known = this.tiles.get(this.key(Math.floor(a / tile), Math.floor(b / tile)));
    if (known !== undefined) return known.height[(a % tile) * tile + (b % tile)]!;
    const [u, p] = this.between(a, 0), [v, q] = this.between(b, 1);
    const columns = this.told.nodes[1];
    const at = (k: number, l: number): number => this.heights[k * columns + l]!;
    const low = p === 0 ? at(u, v) : at(u, v) * (1 - p) + at(u + 1, v) * p;
    if (q === 0) return low;
    const high = p === 0 ? at(u, v + 1) : at(u, v + 1) * (1 - p) + at(u + 1, v + 1) * p;
    return low * (1 - q) + high * q;
  }

  soilAt(i: number, j: number): number {
    const { shape: [nx, ny], tile } = this.told;
    const a = Math.min(Math.max(i, 0), nx - 1), b = Math.min(Math.max(j, 0), ny - 1);
    const known = this.tiles.get(this.key(Math.floor(a / tile), Math.floor(b / tile)));
    return known === undefined ? 0 : known.soil[(a % tile) * tile + (b % tile)]!;
  }

  /** Coordinate of a cell, m from the middle; the outermost cells lie on the edge. */
  place(index: number, axis: 0 | 1): number {
    const n = this.told.shape[axis];
    if (index <= 0) return -0.5 * n * this.told.cell;
    if (index >= n - 1) return 0.5 * n * this.told.cell;
    return (index - 0.5 * (n - 1)) * this.told.cell;
  }

  /** Cells of a tile that are drawn: from its first to the first of the next, every `step`-th. */
  cellsOf(tile: number, axis: 0 | 1, step: number): number[] {
    const last = this.told.shape[axis] - 1, cells: number[] = [];
    for (let k = 0; k <= this.told.tile; k += step) {
      const cell = Math.min(tile * this.told.tile + k, last);
      if (cells.at(-1) !== cell) cells.push(cell);
    }
    return cells;
  }

  /** The node at or before a cell, and the share of the way to the next. */
  private between(cell: number, axis: 0 | 1): [number, number] {
    const { stride, nodes, shape } = this.told;
    if (cell === shape[axis] - 1) return [nodes[axis] - 1, 0];
    const first = Math.floor(cell / stride);
    const next = Math.min((first + 1) * stride, shape[axis] - 1);
    return [first, (cell - first * stride) / (next - first * stride)];
  }
}

/** Corners, normals and colours of a grid of cells, and its triangles. */
export function gridOf(relief: Relief, is: number[], js: number[], step: number, colors: THREE.Color[], skirt: number, target: Target | null = null): THREE.BufferGeometry {
  const { position: [x0, y0, z0] } = relief.told;
  const tinted = new THREE.Color();
  const n = is.length, m = js.length, rim = skirt > 0 ? 2 * (n + m) : 0;
  const position = new Float32Array(3 * (n * m + rim)), normal = new Float32Array(position.length), color = new Float32Array(position.length);
  const put = (at: number, i: number, j: number, down: number): void => {
    const { cell, shape: [nx, ny] } = relief.told;
    const left = Math.max(i - step, 0), right = Math.min(i + step, nx - 1), near = Math.max(j - step, 0), far = Math.min(j + step, ny - 1);
    const x = (relief.heightAt(left, j) - relief.heightAt(right, j)) / (cell * (right - left));
    const y = (relief.heightAt(i, near) - relief.heightAt(i, far)) / (cell * (far - near));
    const length = Math.hypot(x, y, 1);
    position.set([relief.place(i, 0), relief.place(j, 1), relief.heightAt(i, j) - down], 3 * at);
    normal.set([x / length, y / length, 1 / length], 3 * at);
    const shade = tinted.copy(colors[relief.soilAt(i, j)] ?? colors[0]!);
    target?.tint(relief.place(i, 0) + x0, relief.place(j, 1) + y0, relief.heightAt(i, j) + z0, shade);
    color.set([shade.r, shade.g, shade.b], 3 * at);
  };
  is.forEach((i, a) => js.forEach((j, b) => put(a * m + b, i, j, 0)));
  const index: number[] = [];
  const quad = (a: number, b: number, c: number, d: number): void => void index.push(a, b, c, a, c, d);
  for (let a = 0; a + 1 < n; a++) for (let b = 0; b + 1 < m; b++) quad(a * m + b, (a + 1) * m + b, (a + 1) * m + b + 1, a * m + b + 1);
  if (skirt > 0) {
    let at = n * m;
    const hang = (cells: [number, number][], tops: number[]): void => {
      cells.forEach(([i, j], k) => {
        put(at + k, i, j, skirt);
        if (k > 0) quad(tops[k - 1]!, tops[k]!, at + k, at + k - 1);
      });
      at += cells.length;
    };
    for (const a of [0, n - 1]) hang(js.map((j) => [is[a]!, j]), js.map((_, b) => a * m + b));
    for (const b of [0, m - 1]) hang(is.map((i) => [i, js[b]!]), is.map((_, a) => a * m + b));
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(color, 3));
  geometry.setIndex(index);
  return geometry;
}

export class Ground {
  readonly object = new THREE.Group();
  private relief: Relief | null = null;
  private target: Target | null = null;
  private colors: THREE.Color[] = [];
  private material = new THREE.MeshStandardMaterial();
  private base: THREE.Mesh | null = null;
  private walls: THREE.Mesh | null = null;
  /** First index and count of each tile's triangles in the base. */
  private spans = new Map<number, { first: number; indices: Uint32Array }>();
  private fine = new Map<number, THREE.Mesh>();
  private epoch = 0;

  build(scene: SceneMessage, numbers: Float32Array): void {
    this.clear();
    const told = scene.ground ?? null;
    if (told === null) return;
    this.relief = new Relief(told, numbers.slice(told.heights[0], told.heights[0] + told.heights[1]));
    this.colors = told.soils.map(({ color }) => new THREE.Color().setRGB(...color, THREE.SRGBColorSpace));
    this.material = wrap(new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 1, metalness: 0, side: THREE.DoubleSide }), {
      kind: surfaceOf({ name: told.soils[0]!.name, soil: told.soils[0]!.name }), tile: tileLength(distance(scene.subject)), strength: 0.6, world: true,
    });
    this.object.position.fromArray(told.position);
    this.target = scene.task?.surface ? new Target(scene.task.surface) : null;
    if (this.target !== null) {
      const lines = this.target.lines();
      lines.position.fromArray(told.position).negate();
      this.object.add(lines);
    }
    this.layBase();
    this.raiseWalls();
  }

  /** Takes in the tiles of a frame; when time has jumped, the others are as they were at the start again. */
  take(tiles: GroundTile[], epoch: number): void {
    if (this.relief === null) return;
    if (epoch !== this.epoch) this.forget();
    this.epoch = epoch;
    if (tiles.length === 0) return;
    const stale = new Set<number>();
    let atEdge = false;
    const [wide, high] = [this.relief.along(0), this.relief.along(1)];
    for (const tile of tiles) {
      const [tx, ty] = tile.tile;
      if (tx >= wide || ty >= high) continue;
      this.relief.tiles.set(this.relief.key(tx, ty), tile);
      atEdge ||= tx === 0 || ty === 0 || tx === wide - 1 || ty === high - 1;
      // Tiles before it end at its first cells; normals of those around it depend on it.
      for (let x = Math.max(tx - 1, 0); x <= Math.min(tx + 1, wide - 1); x++) {
        for (let y = Math.max(ty - 1, 0); y <= Math.min(ty + 1, high - 1); y++) {
          if ((x <= tx && y <= ty) || this.fine.has(this.relief.key(x, y))) stale.add(this.relief.key(x, y));
        }
      }
    }
    for (const key of stale) this.refine(key);
    if (atEdge) this.raiseWalls();
  }

  private forget(): void {
    if (this.relief === null || this.base === null || this.relief.tiles.size === 0) return;
    this.relief.tiles.clear();
    const index = this.base.geometry.getIndex()!;
    for (const [key, mesh] of this.fine) {
      const { first, indices } = this.spans.get(key)!;
      (index.array as Uint32Array).set(indices, first);
      this.object.remove(mesh);
      mesh.geometry.dispose();
    }
    index.needsUpdate = true;
    this.fine.clear();
    this.raiseWalls();
  }

  private clear(): void {
    for (const mesh of [this.base, this.walls, ...this.fine.values()]) mesh?.geometry.dispose();
    this.material.dispose();
    this.object.clear();
    this.spans.clear();
    this.fine.clear();
    this.relief = this.base = this.walls = this.target = null;
    this.epoch = 0;
  }

  /** All of the ground as it was at the start, the triangles of each tile together. */
  private layBase(): void {
    const relief = this.relief!, { stride, nodes, shape } = relief.told;
    const cells = ([0, 1] as const).map((axis) => Array.from({ length: nodes[axis] }, (_, k) => Math.min(k * stride, shape[axis] - 1)));
    const geometry = gridOf(relief, cells[0]!, cells[1]!, stride, this.colors, 0, this.target);
    const columns = nodes[1], order: number[] = [];
    const node = (cell: number, axis: 0 | 1): number => (cell === shape[axis] - 1 ? nodes[axis] - 1 : cell / stride);
    for (let tx = 0; tx < relief.along(0); tx++) {
      for (let ty = 0; ty < relief.along(1); ty++) {
        const first = order.length;
        const is = relief.cellsOf(tx, 0, stride).map((i) => node(i, 0)), js = relief.cellsOf(ty, 1, stride).map((j) => node(j, 1));
        for (let a = 0; a + 1 < is.length; a++) {
          for (let b = 0; b + 1 < js.length; b++) {
            const [p, q, r, s] = [is[a]! * columns + js[b]!, is[a + 1]! * columns + js[b]!, is[a + 1]! * columns + js[b + 1]!, is[a]! * columns + js[b + 1]!];
            order.push(p, q, r, p, r, s);
          }
        }
        this.spans.set(relief.key(tx, ty), { first, indices: Uint32Array.from(order.slice(first)) });
      }
    }
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(order), 1));
    this.base = new THREE.Mesh(geometry, this.material);
    this.base.receiveShadow = true;
    this.object.add(this.base);
  }

  /** Draws a tile at full resolution, instead of its part of the base. */
  private refine(key: number): void {
    const relief = this.relief!, high = relief.along(1);
    const is = relief.cellsOf(Math.floor(key / high), 0, 1), js = relief.cellsOf(key % high, 1, 1);
    if (is.length < 2 || js.length < 2) return;
    const skirt = relief.told.stride > 1 ? relief.told.stride * relief.told.cell : 0;
    const geometry = gridOf(relief, is, js, 1, this.colors, skirt, this.target);
    const known = this.fine.get(key);
    if (known !== undefined) {
      known.geometry.dispose();
      known.geometry = geometry;
      return;
    }
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.castShadow = mesh.receiveShadow = true;
    this.fine.set(key, mesh);
    this.object.add(mesh);
    const index = this.base!.geometry.getIndex()!, { first, indices } = this.spans.get(key)!;
    (index.array as Uint32Array).fill(0, first, first + indices.length);
    index.needsUpdate = true;
  }

  /** Upright walls at the edge, down to the bottom. */
  private raiseWalls(): void {
    const relief = this.relief!, { shape, stride, base } = relief.told;
    const position: number[] = [], normal: number[] = [], color: number[] = [], index: number[] = [];
    for (const axis of [0, 1] as const) {
      const other = axis === 0 ? 1 : 0;
      for (const end of [0, shape[axis] - 1]) {
        const out = end === 0 ? -1 : 1;
        for (let k = 0, last = -1; last < shape[other] - 1; k += stride) {
          const along = (last = Math.min(k, shape[other] - 1));
          const [i, j] = axis === 0 ? [end, along] : [along, end];
          const shade = this.colors[relief.soilAt(i, j)] ?? this.colors[0]!;
          const at = position.length / 3;
          for (const z of [relief.heightAt(i, j), base]) {
            position.push(relief.place(i, 0), relief.place(j, 1), z);
            normal.push(axis === 0 ? out : 0, axis === 1 ? out : 0, 0);
            color.push(WALL_SHADE * shade.r, WALL_SHADE * shade.g, WALL_SHADE * shade.b);
          }
          if (k > 0) index.push(at - 2, at - 1, at + 1, at - 2, at + 1, at);
        }
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normal, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(color, 3));
    geometry.setIndex(index);
    if (this.walls === null) {
      this.walls = new THREE.Mesh(geometry, this.material);
      this.object.add(this.walls);
    } else {
      this.walls.geometry.dispose();
      this.walls.geometry = geometry;
    }
  }
}
