// Textures that are computed, not loaded: brightness tiles that repeat without a seam, one for each kind of surface.

import * as THREE from "three";

export const SURFACES = ["sand", "soil", "clay", "gravel", "rock", "concrete", "steel", "rubber", "wood", "snow"] as const;
export type SurfaceKind = (typeof SURFACES)[number];

/** Words in the name of a material, and what it then looks like. */
const WORDS: [RegExp, SurfaceKind][] = [
  [/sand|pumice/, "sand"],
  [/gravel|ballast|pebble/, "gravel"],
  [/clay|loam|mud/, "clay"],
  [/soil|earth|dirt|ground|humus/, "soil"],
  [/rock|stone|granite|boulder/, "rock"],
  [/tyre|tire|rubber|fabric|rope/, "rubber"],
  [/wood|plank|timber/, "wood"],
  [/snow|ice/, "snow"],
  [/steel|iron|metal|loader|machine|paint/, "steel"],
  [/concrete|asphalt|wall|floor/, "concrete"],
];

/** By the name of the soil, or else by that of the material. */
export function surfaceOf(material: { name: string; soil?: string } | undefined): SurfaceKind {
  for (const name of [material?.soil ?? "", material?.name ?? ""]) {
    const found = WORDS.find(([pattern]) => pattern.test(name.toLowerCase()));
    if (found !== undefined) return found[1];
  }
  return "concrete";
}

/** A number from 0 to 1 for each cell of a grid, the same in every run. */
function hash(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0xffffffff;
}

/** Smooth noise from 0 to 1 at a place of the unit square; `cells` waves fit into it, so that it repeats. */
function waves(u: number, v: number, cellsU: number, cellsV: number, seed: number): number {
  const x = u * cellsU, y = v * cellsV;
  const i = Math.floor(x), j = Math.floor(y);
  const soft = (t: number): number => t * t * (3 - 2 * t);
  const a = soft(x - i), b = soft(y - j);
  const at = (di: number, dj: number): number => hash((i + di) % cellsU, (j + dj) % cellsV, seed);
  return (at(0, 0) * (1 - a) + at(1, 0) * a) * (1 - b) + (at(0, 1) * (1 - a) + at(1, 1) * a) * b;
}

function layers(u: number, v: number, cells: number, count: number, seed: number): number {
  let sum = 0, weight = 0;
  for (let k = 0; k < count; k++) {
    const share = 0.55 ** k;
    sum += share * waves(u, v, cells << k, cells << k, seed + k);
    weight += share;
  }
  return sum / weight;
}

/** Stones: distance to the nearest of scattered points, and the shade of its stone. */
function stones(u: number, v: number, cells: number, seed: number): { rim: number; shade: number } {
  const x = u * cells, y = v * cells;
  const i = Math.floor(x), j = Math.floor(y);
  let first = Infinity, second = Infinity, shade = 0;
  for (let di = -1; di <= 1; di++) {
    for (let dj = -1; dj <= 1; dj++) {
      const a = (i + di + cells) % cells, b = (j + dj + cells) % cells;
      const dx = i + di + hash(a, b, seed) - x, dy = j + dj + hash(a, b, seed + 1) - y;
      const gap = Math.hypot(dx, dy);
      if (gap < first) {
        second = first;
        first = gap;
        shade = hash(a, b, seed + 2);
      } else if (gap < second) second = gap;
    }
  }
  return { rim: Math.min((second - first) * 2.2, 1), shade };
}

const BRIGHTNESS: Record<SurfaceKind, (u: number, v: number) => number> = {
  sand: (u, v) => {
    const ripple = Math.sin(2 * Math.PI * (9 * v + 0.8 * layers(u, v, 3, 3, 3)));
    return 0.5 + 0.07 * ripple + 0.16 * (layers(u, v, 4, 3, 1) - 0.5) + 0.3 * (hash(Math.floor(u * 256), Math.floor(v * 256), 2) - 0.5);
  },
  soil: (u, v) => {
    const clod = stones(u, v, 22, 7);
    return 0.32 + 0.18 * Math.sqrt(clod.rim) + 0.12 * (clod.shade - 0.5) + 0.34 * (layers(u, v, 6, 4, 8) - 0.4);
  },
  clay: (u, v) => {
    const plate = stones(u, v, 7, 17);
    return 0.52 - 0.2 * (1 - Math.min(plate.rim * 4, 1)) + 0.3 * (layers(u, v, 5, 4, 18) - 0.5);
  },
  gravel: (u, v) => {
    const stone = stones(u, v, 18, 27);
    return 0.2 + 0.34 * Math.sqrt(stone.rim) + 0.3 * (stone.shade - 0.35) + 0.12 * (layers(u, v, 32, 2, 28) - 0.5);
  },
  rock: (u, v) => {
    const crack = Math.abs(layers(u, v, 5, 4, 37) - 0.5) * 2;
    return 0.34 + 0.22 * Math.min(crack * 5, 1) + 0.4 * (layers(u, v, 9, 4, 38) - 0.5) + 0.1 * (hash(Math.floor(u * 256), Math.floor(v * 256), 39) - 0.5);
  },
  concrete: (u, v) => 0.5 + 0.22 * (layers(u, v, 4, 5, 47) - 0.5) + 0.08 * (hash(Math.floor(u * 256), Math.floor(v * 256), 48) - 0.5),
  steel: (u, v) => 0.5 + 0.1 * (waves(u, v, 4, 96, 57) - 0.5) + 0.12 * (layers(u, v, 3, 4, 58) - 0.5),
  rubber: (u, v) => 0.46 + 0.14 * (layers(u, v, 8, 4, 67) - 0.5) + 0.06 * (hash(Math.floor(u * 256), Math.floor(v * 256), 68) - 0.5),
  wood: (u, v) => 0.5 + 0.22 * (waves(u, v, 2, 40, 77) - 0.5) + 0.16 * Math.sin(2 * Math.PI * (6 * v + 0.7 * waves(u, v, 2, 4, 78))),
  snow: (u, v) => 0.54 + 0.1 * (layers(u, v, 3, 4, 87) - 0.5) + 0.06 * (hash(Math.floor(u * 256), Math.floor(v * 256), 88) - 0.5),
};

/** size × size bytes, 128 on average: twice the byte over 255 is a factor on the colour of a surface. */
export function brightnessTile(kind: SurfaceKind, size: number): Uint8Array<ArrayBuffer> {
  const values = new Float32Array(size * size);
  let sum = 0;
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      const value = BRIGHTNESS[kind]((i + 0.5) / size, (j + 0.5) / size);
      values[j * size + i] = value;
      sum += value;
    }
  }
  const shift = 0.5 - sum / values.length;
  return Uint8Array.from(values, (value) => Math.min(Math.max(Math.round(255 * (value + shift)), 0), 255));
}

const SIZE = 256;
const bytes = new Map<SurfaceKind, Uint8Array<ArrayBuffer>>();
const made = new Map<SurfaceKind, THREE.DataTexture>();

/** The tile of a surface for drawing; each is made once. */
export function tileOf(kind: SurfaceKind): THREE.DataTexture {
  let texture = made.get(kind);
  if (texture === undefined) {
    texture = smooth(new THREE.DataTexture(bytesOf(kind), SIZE, SIZE, THREE.RedFormat));
    made.set(kind, texture);
  }
  return texture;
}

/** Tiles of several surfaces, one above the other, for things of many kinds that are drawn in one call. */
export function tilesOf(kinds: SurfaceKind[]): THREE.DataArrayTexture {
  const all = new Uint8Array(SIZE * SIZE * kinds.length);
  kinds.forEach((kind, k) => all.set(bytesOf(kind), SIZE * SIZE * k));
  const texture = new THREE.DataArrayTexture(all, SIZE, SIZE, kinds.length);
  texture.format = THREE.RedFormat;
  return smooth(texture);
}

function bytesOf(kind: SurfaceKind): Uint8Array<ArrayBuffer> {
  const known = bytes.get(kind) ?? brightnessTile(kind, SIZE);
  bytes.set(kind, known);
  return known;
}

function smooth<T extends THREE.Texture>(texture: T): T {
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}

/** GLSL: factor on a colour at a place, seen from the three sides of space, blended by the normal. */
export const TRIPLANAR = /* glsl */ `
vec3 sideWeights(vec3 normal) {
  vec3 weight = pow(abs(normal), vec3(4.0));
  return weight / (weight.x + weight.y + weight.z);
}

float tileFactor(sampler2D tile, vec3 place, vec3 normal, float strength) {
  vec3 sides = vec3(texture(tile, place.yz).r, texture(tile, place.zx).r, texture(tile, place.xy).r);
  return 1.0 + strength * (2.0 * dot(sideWeights(normal), sides) - 1.0);
}
`;

/** The same from one of several tiles. */
export const TRIPLANAR_LAYERS = /* glsl */ `
float layerFactor(sampler2DArray tiles, float layer, vec3 place, vec3 normal, float strength) {
  vec3 sides = vec3(texture(tiles, vec3(place.yz, layer)).r, texture(tiles, vec3(place.zx, layer)).r,
    texture(tiles, vec3(place.xy, layer)).r);
  return 1.0 + strength * (2.0 * dot(sideWeights(normal), sides) - 1.0);
}
`;
