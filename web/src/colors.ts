// Colours of grains, as display (sRGB) bytes.

import type { ColumnFacts, Frame, Quantity, Roster, SceneMessage, Vec3 } from "./wire";

/** Material, height, id, or a quantity that the server sends. */
export type Coloring = string;

const LABELS: Record<Quantity, string> = { speed: "speed, m/s", force: "force, N", moisture: "moisture, share of mass" };

/** Those that a scene has the numbers for. */
export function coloringsOf(quantities: readonly Quantity[]): Coloring[] {
  return ["material", ...quantities.filter((name) => name !== "height" && name !== "id"), "height", "id"];
}

function labelOf(name: Quantity, columns: Record<string, ColumnFacts>): string {
  const unit = columns[name]?.unit;
  return name in columns ? (unit ? `${name}, ${unit}` : name) : LABELS[name] ?? name;
}

export interface Legend {
  label: string;
  low: number;
  high: number;
}

const STEPS = 256;

/** A number from 0 to 1 for each id, the same in every frame. */
export function noise(id: number): number {
  let h = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  return ((h ^ (h >>> 16)) >>> 0) / 0xffffffff;
}

export class Painter {
  private high: Record<string, number> = {};
  private table = new Uint8Array(3 * STEPS);
  private materials: Vec3[] = [];

  private columns: Record<string, ColumnFacts> = {};

  constructor(scene: Pick<SceneMessage, "scale" | "materials"> & Partial<Pick<SceneMessage, "columns">>) {
    this.columns = scene.columns ?? {};
    this.materials = scene.materials.map((material) => material.color);
    const last = scene.scale.length - 1;
    for (let k = 0; k < STEPS; k++) {
      const at = (k / (STEPS - 1)) * last;
      const low = Math.min(Math.floor(at), last - 1);
      for (let c = 0; c < 3; c++) {
        const a = scene.scale[low]![c]!, b = scene.scale[low + 1]![c]!;
        this.table[3 * k + c] = Math.round(255 * (a + (b - a) * (at - low)));
      }
    }
  }

  /** Writes red, green and blue of each grain into every fourth bytes of `tint`; says what they mean. */
  paint(by: Coloring, frame: Frame, roster: Roster, tint: Uint8Array): Legend | null {
    if (by === "material") return this.byMaterial(frame.count, roster, tint);
    if (by === "id") return this.byId(frame.count, roster, tint);
    if (by === "height") {
      let low = Infinity, high = -Infinity;
      for (let i = 0; i < frame.count; i++) {
        low = Math.min(low, frame.position[3 * i + 2]!);
        high = Math.max(high, frame.position[3 * i + 2]!);
      }
      if (!(high > low)) [low, high] = [0, 1];
      const settled = this.settle("height", high - Math.min(low, 0), 0);
      this.byScale(frame.count, (i) => (frame.position[3 * i + 2]! - Math.min(low, 0)) / settled, tint);
      return { label: "height, m", low: Math.min(low, 0), high: settled + Math.min(low, 0) };
    }
    if (frame.quantity !== by) return null; // the server has not switched yet
    const high = this.settle(by, frame.highest, by in this.columns ? 0 : 0.05);
    this.byScale(frame.count, (i) => frame.value[i]! / high, tint);
    return { label: labelOf(by, this.columns), low: 0, high };
  }

  /** Ends of scales rise at once and sink slowly, so that colours do not flicker. */
  private settle(name: string, wanted: number, least: number): number {
    const before = this.high[name] ?? 0;
    const now = Math.max(wanted, before + (wanted - before) * 0.03, least);
    this.high[name] = now;
    return now > 0 ? now : 1;
  }

  private byScale(count: number, share: (i: number) => number, tint: Uint8Array): void {
    for (let i = 0; i < count; i++) {
      const k = 3 * Math.min(Math.max(Math.round(share(i) * (STEPS - 1)), 0), STEPS - 1);
      tint[4 * i] = this.table[k]!;
      tint[4 * i + 1] = this.table[k + 1]!;
      tint[4 * i + 2] = this.table[k + 2]!;
    }
  }

  private byMaterial(count: number, roster: Roster, tint: Uint8Array): null {
    for (let i = 0; i < count; i++) {
      const color = this.materials[roster.material[i]!] ?? [0.8, 0.7, 0.5];
      // Slightly unequal grains can be told apart, and look like grains.
      const bright = 255 * (0.9 + 0.16 * noise(roster.id[i]!));
      for (let c = 0; c < 3; c++) tint[4 * i + c] = Math.min(255, color[c]! * bright);
    }
    return null;
  }

  private byId(count: number, roster: Roster, tint: Uint8Array): null {
    for (let i = 0; i < count; i++) {
      const hue = 2 * Math.PI * noise(roster.id[i]!);
      for (let c = 0; c < 3; c++) tint[4 * i + c] = 255 * (0.58 + 0.28 * Math.cos(hue - (c * 2 * Math.PI) / 3));
    }
    return null;
  }
}
