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
    x0 = Math.min(x0, x); x1 = Math.max(x1, x);
    y0 = Math.min(y0, y); y1 = Math.max(y1, y);
    sum += radius[i]!;
  }
  const mean = sum / count;
  const cell = Math.max(3 * mean, Math.sqrt(((x1 - x0) * (y1 - y0)) / MOST_CELLS), (x1 - x0) / 4096, (y1 - y0) / 4096, 1e-9);
  const nx = Math.floor((x1 - x0) / cell) + 3;
  const ny = Math.floor((y1 - y0) / cell) + 3;
  const top = new Float32Array(nx * ny).fill(-Infinity);
  const cellOf = (i: number): number =>
    (Math.floor((position[3 * i]! - x0) / cell) + 1) * ny + Math.floor((position[3 * i + 1]! - y0) / cell) + 1;
  // A grain in the air shades hardly anything, so the top is not where the highest grain is, but where the
  // grains of a cell would reach if they lay in a heap.
  const low = new Float32Array(nx * ny).fill(Infinity);
  const filled = new Float32Array(nx * ny);
  for (let i = 0; i < count; i++) {
    const c = cellOf(i);
    low[c] = Math.min(low[c]!, position[3 * i + 2]!);
    filled[c] = filled[c]! + (4 / 3) * Math.PI * radius[i]! ** 3;
  }
  for (let c = 0; c < top.length; c++) {
    if (filled[c]! > 0) top[c] = low[c]! + filled[c]! / (PACKING * cell * cell) - mean;
  }
  for (let i = 0; i < count; i++) {
    const c = cellOf(i);
    let above = 0, seen = 0;
    for (const step of [-ny - 1, -ny, -ny + 1, -1, 0, 1, ny - 1, ny, ny + 1]) {
      const height = top[c + step]!;
      if (height > -Infinity) above += Math.min(Math.max(height - position[3 * i + 2]!, 0), DEPTH * mean);
      seen++;
    }
    result[i] = 1 - (1 - DARKEST) * (above / seen / (DEPTH * mean));
  }
  return result;
}
