// What parts of machines look like when a scene does not say: paint, worn steel, rubber, chrome.

import { surfaceOf, type SurfaceKind } from "./textures";
import type { BodyFacts, MeshPart, SceneMessage, Vec3 } from "./wire";

/** Colour that the server gives to what has none of its own; see STEEL in render/surfaces.py. */
const PLAIN: Vec3 = [0.6, 0.63, 0.67];

export const PAINT: Vec3 = [0.89, 0.63, 0.13];
const WORN: Vec3 = [0.36, 0.36, 0.37];
const RUBBER: Vec3 = [0.13, 0.13, 0.135];
const CHROME: Vec3 = [0.78, 0.8, 0.82];
const DARK: Vec3 = [0.22, 0.23, 0.25];

export interface Look {
  color: Vec3;
  surface: SurfaceKind;
  roughness: number;
  metalness: number;
  /** How much of the texture shows. */
  strength: number;
}

type Told = Pick<SceneMessage, "bodies" | "materials" | "machines">;

export function lookOf(part: MeshPart, scene: Told): Look {
  const row = part.bodies[0] ?? -1;
  const body = scene.bodies[row];
  const material = scene.materials[part.material];
  const surface = part.look === "ground" && material === undefined ? "soil" : surfaceOf(material);
  const own = part.color.some((value, k) => Math.abs(value - PLAIN[k]!) > 0.02);
  const look = (color: Vec3, roughness: number, metalness: number, strength: number): Look => ({
    color: own ? part.color : color, surface, roughness, metalness, strength,
  });
  if (surface === "rubber") return look(RUBBER, 0.95, 0, 0.5);
  if (body !== undefined && body.machine >= 0) {
    const name = body.name.toLowerCase();
    if (isTool(row, name, scene)) return look(WORN, 0.55, 0.5, 0.9);
    if (/rod|piston/.test(name)) return look(CHROME, 0.25, 0.6, 0.2);
    if (/axle|barrel|cylinder|link|crank|shaft|hub/.test(name)) return look(DARK, 0.6, 0.3, 0.5);
    return look(PAINT, 0.5, 0.1, 0.25);
  }
  if (surface === "steel") return look(PLAIN, 0.45, 0.35, 0.6);
  return look(PLAIN, 0.75, 0, surface === "wood" || surface === "rock" || part.look === "ground" ? 1 : 0.6);
}

function isTool(row: number, name: string, scene: Told): boolean {
  return scene.machines.some((machine) => machine.tool?.body === row) || /bucket|blade|tooth|teeth/.test(name);
}

/** Whether a piece is a tyre, to be drawn with lugs and a rim. */
export function isTyre(part: MeshPart, body: BodyFacts | undefined, surface: SurfaceKind): boolean {
  const round = part.shape?.kind === "cylinder" && part.shape.radius !== undefined && part.shape.height !== undefined;
  return round && (surface === "rubber" || /wheel|tyre|tire/.test((body?.name ?? "").toLowerCase()));
}
