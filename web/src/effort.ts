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
const FIRST: Fineness = LEVELS[3]!;
const FIRST_IN_SOFTWARE: Fineness = LEVELS[1]!;
const TOO_SLOW = 0.028; // s between pictures; a hand feels two of them between a lever and what it moves
const MUCH_TOO_SLOW = 0.15;
const EASY = 0.02;
const BEARABLE = 0.7; // s of slow pictures before going down
const PATIENCE = 240; // quick pictures before going up
const HOPELESS = 0.6;
const WARM_UP = 4; // pictures that do not count: the first ones compile
const CHANGE = 2; // pictures that do not count after a change
const LONGEST_WARM_UP = 3; // s
const ASLEEP = 8; // s; after a longer time nobody was looking

/** Goes down soon when pictures come slowly, and up again late, and not to where it was too slow before. */
export class Effort {
  private readonly levels: Fineness[];
  private level: number;
  private ceiling: number;
  private slow = 0;
  private quick = 0;
  private warming = WARM_UP;
  private warmed = 0;

  /** `density`: pixels of the screen per pixel of the page; `software`: there is no graphics card. */
  constructor(density: number, software: boolean) {
    const within = (one: Fineness): Fineness => ({ shadows: one.shadows, pixels: Math.min(one.pixels, density) });
    const same = (a: Fineness, b: Fineness): boolean => a.shadows === b.shadows && a.pixels === b.pixels;
    // Levels that this screen cannot tell apart are one.
    this.levels = LEVELS.map(within).filter((one, k, all) => all.findIndex((other) => same(one, other)) === k);
    const first = within(software ? FIRST_IN_SOFTWARE : FIRST);
    this.level = this.levels.findIndex((one) => same(one, first));
    this.ceiling = this.levels.length - 1;
  }

  get fineness(): Fineness {
    return this.levels[this.level]!;
  }

  /** Takes in the time between two pictures, s; true if the fineness has changed. */
  note(seconds: number): boolean {
    if (seconds > ASLEEP) return false;
    if (this.warming > 0) {
      this.warming--;
      this.warmed += seconds;
      if (this.warmed < LONGEST_WARM_UP) return false;
    }
    this.warming = this.warmed = 0;
    this.slow = seconds > TOO_SLOW ? this.slow + seconds : Math.max(this.slow - seconds, 0);
    this.quick = seconds < EASY ? this.quick + 1 : 0;
    if (this.slow > BEARABLE && this.level > 0) {
      return this.go(seconds > HOPELESS ? -this.level : seconds > MUCH_TOO_SLOW ? -2 : -1);
    }
    if (this.quick > PATIENCE && this.level < this.ceiling) return this.go(1);
    return false;
  }

  /** There was nothing to draw: the time until the next picture says nothing. */
  rest(): void {
    this.warming = Math.max(this.warming, 1);
  }

  private go(by: number): boolean {
    if (by < 0) this.ceiling = Math.max(this.level - 1, 0);
    this.level = Math.max(this.level + by, 0);
    this.slow = this.quick = 0;
    this.warming = CHANGE;
    return true;
  }
}

/** Whether pictures are drawn by the processor: slowly, that is, and each sample of an edge costs as much as a pixel. */
export function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (context === null) return false;
  const told = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(told?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
