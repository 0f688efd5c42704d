// Grains that nobody can see, as other grains lie all around them: most of a heap. They are not drawn, which saves
// most of the work where each fragment counts, as on a tablet or without a graphics card.

const CELL = 4; // radii
const FULL = 0.36; // share of a cell that is grains; a heap has 0.55 to 0.64
const MOST_CELLS = 1 << 20;

/** 1 for each grain in a cell that is full, as are all 26 around it. */
export function buried(position: Float32Array, radius: Float32Array, count: number): Uint8Array {
  const result = new Uint8Array(count);
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  let sum = 0, largest = 0;
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) {
      const x = position[3 * i + c]!;
      if (x < low[c]!) low[c] = x;
      if (x > high[c]!) high[c] = x;
    }
    sum += radius[i]!;
    if (radius[i]! > largest) largest = radius[i]!;
  }
  if (count === 0 || !(sum > 0)) return result;
  // A cell must hold the largest grain, or that would seem to leave its neighbours empty.
  const cell = Math.max((CELL * sum) / count, 2 * largest);
  const [nx, ny, nz] = [0, 1, 2].map((c) => Math.floor((high[c]! - low[c]!) / cell) + 3) as [number, number, number];
  if (!(nx * ny * nz <= MOST_CELLS)) return result; // scattered far and wide: hardly any is buried
  const volume = new Float32Array(nx * ny * nz);
  const cells = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const at = (c: number): number => Math.floor((position[3 * i + c]! - low[c]!) / cell) + 1;
    const k = (at(0) * ny + at(1)) * nz + at(2);
    const r = radius[i]!;
    cells[i] = k;
    volume[k] = volume[k]! + (4 / 3) * Math.PI * r * r * r;
  }
  const full = new Uint8Array(volume.length);
  const least = FULL * cell ** 3;
  for (let k = 0; k < full.length; k++) full[k] = volume[k]! >= least ? 1 : 0;
  // Full along z, then along y, then along x: together all 27.
  const deep = eroded(eroded(eroded(full, 1), nz), ny * nz);
  for (let i = 0; i < count; i++) result[i] = deep[cells[i]!]!;
  return result;
}

/** 1 where a cell and both its neighbours are 1; cells at the rim have none. */
function eroded(cells: Uint8Array, stride: number): Uint8Array {
  const result = new Uint8Array(cells.length);
  for (let k = stride; k < cells.length - stride; k++) result[k] = cells[k - stride]! & cells[k]! & cells[k + stride]!;
  return result;
}
