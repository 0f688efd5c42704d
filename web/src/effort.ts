// How finely to draw: as finely as this machine can at a pace that feels smooth.

export interface Fineness {
  /** Pixels of the map of shadows along each side; 0: no shadows. */
  shadows: number;
  /** Pixels drawn per pixel of the page, at most. */
  pixels: number;
}

/** From coarse to fine. */
const LEVELS: Fineness[] = [
  { shadows: 0, pixels: 0.5 },
  { shadows: 512, pixels: 0.75 },
  { shadows: 1024, pixels: 1 },
  { shadows: 1024, pixels: 1.5 },
  { shadows: 2048, pixels: 2 },
];
const FIRST = 3;
const TOO_SLOW = 0.045; // s between pictures
const EASY = 0.02;
const BEARABLE = 0.7; // s of slow pictures before going down
const PATIENCE = 240; // quick pictures before going up
const WARM_UP = 4; // pictures that do not count: the first ones compile

/** Goes down soon when pictures come slowly, and up again late, and not to where it was too slow before. */
export class Effort {
  private level = FIRST;
  private ceiling = LEVELS.length - 1;
  private slow = 0;
  private quick = 0;
  private warming = WARM_UP;

  get fineness(): Fineness {
    return LEVELS[this.level]!;
  }

  /** Takes in the time between two pictures, s; true if the fineness has changed. */
  note(seconds: number): boolean {
    if (this.warming > 0) {
      this.warming--;
      return false;
    }
    this.slow = seconds > TOO_SLOW ? this.slow + seconds : Math.max(this.slow - seconds, 0);
    this.quick = seconds < EASY ? this.quick + 1 : 0;
    if (this.slow > BEARABLE && this.level > 0) return this.go(-1);
    if (this.quick > PATIENCE && this.level < this.ceiling) return this.go(1);
    return false;
  }

  private go(by: 1 | -1): boolean {
    if (by < 0) this.ceiling = Math.max(this.level - 1, 0);
    this.level += by;
    this.slow = this.quick = 0;
    this.warming = WARM_UP;
    return true;
  }
}
