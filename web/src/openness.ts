// Cheap ambient occlusion: how much of the sky a grain sees, guessed from how far it lies below the tops of
// the grains around it.

const MOST_CELLS = 1 << 18;
const DEPTH = 5; // radii below the surface at which the guess reaches its darkest
const DARKEST = 0.35;
const PACKING = 0.55; // share of a heap's volume that is grains

/** n numbers from DARKEST to 1. */
export function openness(position: Float32Array, radius: Float32Array, count: number): Float32Array {
  const result = new Float32Array(count).fill(1);
  if (count === 0) return result;
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity, sum = 0;
  for (let i = 0; i < count; i++) {
    const x = position[3 * i]!, y = position[3 * i + 1]!;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    sum += radius[i]!;
  }
  const mean = sum / count;
  const cell = Math.max(3 * mean, Math.sqrt(((x1 - x0) * (y1 - y0)) / MOST_CELLS), (x1 - x0) / 4096, (y1 - y0) / 4096, 1e-9);
  const nx = Math.floor((x1 - x0) / cell) + 3;
  const ny = Math.floor((y1 - y0) / cell) + 3;
  const top = new Float32Array(nx * ny).fill(-Infinity);
  const cells = new Int32Array(count);
  const scaleIn = 1 / cell;
  for (let i = 0; i < count; i++) {
    const column = Math.floor((position[3 * i]! - x0) * scaleIn) + 1;
    cells[i] = column * ny + Math.floor((position[3 * i + 1]! - y0) * scaleIn) + 1;
  }
  // A grain in the air shades hardly anything, so the top is not where the highest grain is, but where the
  // grains of a cell would reach if they lay in a heap.
  const low = new Float32Array(nx * ny).fill(Infinity);
  const filled = new Float32Array(nx * ny);
  for (let i = 0; i < count; i++) {
    const c = cells[i]!;
    const z = position[3 * i + 2]!, r = radius[i]!;
    if (z < low[c]!) low[c] = z;
    filled[c] = filled[c]! + (4 / 3) * Math.PI * r * r * r;
  }
  for (let c = 0; c < top.length; c++) {
    if (filled[c]! > 0) top[c] = low[c]! + filled[c]! / (PACKING * cell * cell) - mean;
  }
  // What a cell's grains look up to: the tops of the cells around it, those without grains being open.
  const deepest = DEPTH * mean;
  const around = new Float32Array(nx * ny);
  const seen = new Uint8Array(nx * ny);
  for (let c = ny + 1; c < top.length - ny - 1; c++) {
    if (filled[c]! === 0) continue;
    let sum = 0, count = 0;
    for (let row = c - ny; row <= c + ny; row += ny) {
      for (let k = row - 1; k <= row + 1; k++) {
        if (filled[k]! === 0) continue;
        sum += top[k]!;
        count++;
      }
    }
    around[c] = sum / count;
    seen[c] = count;
  }
  const scale = (1 - DARKEST) / (9 * deepest);
  for (let i = 0; i < count; i++) {
    const c = cells[i]!;
    const above = Math.min(Math.max(around[c]! - position[3 * i + 2]!, 0), deepest);
    result[i] = 1 - scale * above * seen[c]!;
  }
  return result;
}
