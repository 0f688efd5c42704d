// Drawing between frames: the page draws more often than frames arrive, so it glides from one to the next.

import type { Frame, Roster } from "./wire";

const FIRST_GUESS = 1 / 30;
const LONGEST_GLIDE = 0.25;

/** For each grain of `now`, where it was in the frame before; a new grain was where it is. */
export function alignedBefore(
  before: { position: Float32Array; roster: Roster } | null,
  now: { position: Float32Array; roster: Roster },
): Float32Array {
  if (before === null) return now.position;
  if (before.roster === now.roster || before.roster.number === now.roster.number) return before.position;
  const result = now.position.slice();
  const old = before.roster.id;
  const ids = now.roster.id;
  // Both lists are in the order of ids, so one walk along both finds all that are in both.
  for (let i = 0, j = 0; i < ids.length && j < old.length; ) {
    const a = ids[i]!;
    const b = old[j]!;
    if (a === b) {
      result[3 * i] = before.position[3 * j]!;
      result[3 * i + 1] = before.position[3 * j + 1]!;
      result[3 * i + 2] = before.position[3 * j + 2]!;
      i++;
      j++;
    } else if (a < b) i++;
    else j++;
  }
  return result;
}

/** Says how far to have come from the last frame but one to the last. */
export class Glide {
  private started = 0;
  private interval = FIRST_GUESS;
  private jump = true;
  private last: { epoch: number; generation: number } | null = null;

  /** A frame came at `now` (s); true if it continues the one before. */
  arrive(frame: Pick<Frame, "epoch" | "generation">, now: number): boolean {
    const follows = this.last?.epoch === frame.epoch && this.last.generation === frame.generation;
    if (follows) {
      const passed = Math.min(now - this.started, LONGEST_GLIDE);
      this.interval += 0.2 * (passed - this.interval);
    }
    this.jump = !follows;
    this.started = now;
    this.last = { epoch: frame.epoch, generation: frame.generation };
    return follows;
  }

  /** 0 at the frame before, 1 at the newest. */
  share(now: number): number {
    if (this.jump || this.interval <= 0) return 1;
    return Math.min(Math.max((now - this.started) / this.interval, 0), 1);
  }
}
