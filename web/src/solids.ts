// What is made of triangles: obstacles, parts of machines, floors. Made once per scene, moved with each picture.

import * as THREE from "three";
import { isTyre, lookOf, PAINT, type Look } from "./looks";
import type { Poses } from "./poses";
import { wrap, type Grid } from "./surface";
import { surfaceOf, type SurfaceKind } from "./textures";
import type { Theme } from "./theme";
import type { MeshPart, SceneMessage, Span, Zone } from "./wire";
import { wheelOf } from "./wheels";

const SOILS = new Set<SurfaceKind>(["sand", "soil", "clay", "gravel", "rock", "snow"]);
/** So many bodies of one shape are drawn in one call. */
const INSTANCED_FROM = 6;

export class Solids {
  readonly object = new THREE.Group();
  private placed: { body: number; object: THREE.Object3D }[] = [];
  private crowds: { bodies: number[]; mesh: THREE.InstancedMesh }[] = [];
  private floors: { material: THREE.MeshLambertMaterial; soil: THREE.Color | null }[] = [];
  /** Of bodies in which an operator sits. */
  private housings: THREE.MeshStandardMaterial[] = [];
  private readonly grid: Grid = { gridColor: { value: new THREE.Color() }, gridSize: { value: 1 }, gridStrength: { value: 0.45 } };
  private readonly position = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly matrix = new THREE.Matrix4();
  private readonly one = new THREE.Vector3(1, 1, 1);

  constructor(private readonly poses: Poses) {}

  build(scene: SceneMessage, numbers: Float32Array, theme: Theme): void {
    this.clear();
    const reach = distance(scene.subject);
    this.grid.gridSize.value = roundLength(reach / 8);
    for (const part of scene.meshes) this.raise(part, scene, numbers, reach);
    for (const floor of scene.floors) this.place(floor.body, this.floorOf(floor, scene, reach));
    if (scene.task?.from) this.object.add(zoneOf(scene.task.from, "#d99a3d"));
    if (scene.task?.to) this.object.add(zoneOf(scene.task.to, "#4aa86b"));
    this.recolor(theme);
  }

  recolor(theme: Theme): void {
    this.grid.gridColor.value.set(theme.grid);
    for (const { material, soil } of this.floors) {
      material.color.set(theme.floor);
      // Only a share of the soil's own colour, and darker: grains of the same soil lie on it.
      if (soil !== null) material.color.lerp(soil.clone().multiplyScalar(theme.soilStrength), 0.55);
    }
  }

  /** Moves all to where they are at a share of the way from the frame before to the newest. */
  pose(share: number): void {
    for (const { body, object } of this.placed) {
      if (body < 0) continue;
      this.poses.position(body, share, object.position);
      this.poses.orientation(body, share, object.quaternion);
    }
    for (const { bodies, mesh } of this.crowds) {
      bodies.forEach((body, k) => {
        this.poses.position(body, share, this.position);
        this.poses.orientation(body, share, this.turn);
        mesh.setMatrixAt(k, this.matrix.compose(this.position, this.turn, this.one));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** From the seat only what faces the eye is drawn: walls around the eye face outwards, and are looked through. */
  seenFromCabin(inside: boolean): void {
    const side = inside ? THREE.FrontSide : THREE.DoubleSide;
    for (const material of this.housings) {
      if (material.side === side) continue;
      material.side = side;
      material.needsUpdate = true;
    }
  }

  private place(body: number, object: THREE.Object3D): void {
    this.placed.push({ body, object });
    this.object.add(object);
  }

  private clear(): void {
    this.object.traverse((thing) => {
      if (thing instanceof THREE.Mesh || thing instanceof THREE.LineSegments) {
        (thing.geometry as THREE.BufferGeometry).dispose();
        (thing.material as THREE.Material).dispose();
      }
    });
    this.object.clear();
    this.placed = [];
    this.crowds = [];
    this.floors = [];
    this.housings = [];
  }

  private raise(part: MeshPart, scene: SceneMessage, numbers: Float32Array, reach: number): void {
    const look = lookOf(part, scene);
    if (part.shape && isTyre(part, scene.bodies[part.bodies[0] ?? -1], look.surface)) {
      const pose = part.shape.pose ?? [0, 0, 0, 0, 0, 0, 1];
      const wheel = wheelOf(part.shape.radius!, part.shape.height!, look.color, PAINT);
      wheel.position.fromArray(pose);
      wheel.quaternion.fromArray(pose, 3);
      for (const body of part.bodies) this.place(body, new THREE.Group().add(wheel.clone()));
      return;
    }
    const geometry = triangles(part, numbers);
    const material = this.materialOf(part, look, reach);
    const opaque = part.look !== "glass";
    if (opaque && scene.machines.some((machine) => part.bodies.includes(machine.cabin?.body ?? -1))) this.housings.push(material);
    if (part.bodies.length >= INSTANCED_FROM) {
      const mesh = new THREE.InstancedMesh(geometry, material, part.bodies.length);
      mesh.castShadow = mesh.receiveShadow = opaque;
      mesh.frustumCulled = false;
      this.crowds.push({ bodies: part.bodies, mesh });
      this.object.add(mesh);
      return;
    }
    const edges = part.look === "ground" ? null : edgesOf(part, numbers, material.color);
    for (const body of part.bodies) {
      const mesh = new THREE.Mesh(geometry, material);
      mesh.castShadow = mesh.receiveShadow = opaque;
      const holder = new THREE.Group().add(mesh);
      if (edges !== null) holder.add(edges.clone());
      this.place(body, holder);
    }
  }

  private materialOf(part: MeshPart, look: Look, reach: number): THREE.MeshStandardMaterial {
    const color = new THREE.Color().setRGB(...look.color, THREE.SRGBColorSpace);
    const settings = { color, side: THREE.DoubleSide, roughness: look.roughness, metalness: look.metalness };
    if (part.look === "glass") {
      return new THREE.MeshStandardMaterial({ ...settings, transparent: true, opacity: 0.09, depthWrite: false });
    }
    const ground = part.look === "ground";
    return wrap(new THREE.MeshStandardMaterial(settings), {
      kind: look.surface, tile: tileLength(reach), strength: look.strength, world: ground, ...(ground ? { grid: this.grid } : {}),
    });
  }

  private floorOf(floor: SceneMessage["floors"][number], scene: SceneMessage, reach: number): THREE.Object3D {
    const material = new THREE.MeshLambertMaterial();
    const told = scene.materials[floor.material ?? -1];
    wrap(material, { kind: surfaceOf(told), tile: tileLength(reach), strength: 0.5, world: true, grid: this.grid });
    const soil = told !== undefined && SOILS.has(surfaceOf(told)) ? new THREE.Color().setRGB(...told.color, THREE.SRGBColorSpace) : null;
    this.floors.push({ material, soil });
    const disc = new THREE.Mesh(new THREE.CircleGeometry(30 * reach, 64), material);
    disc.receiveShadow = true;
    const normal = new THREE.Vector3(...floor.normal);
    disc.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    // The disc is centred below the subject; a floor has no middle of its own.
    const middle = middleOf(scene.subject);
    disc.position.copy(middle).addScaledVector(normal, floor.offset - middle.dot(normal));
    return new THREE.Group().add(disc);
  }
}

function triangles(part: MeshPart, numbers: Float32Array): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(piece(numbers, part.corners), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(piece(numbers, part.normals), 3));
  return geometry;
}

function edgesOf(part: MeshPart, numbers: Float32Array, color: THREE.Color): THREE.LineSegments | null {
  if (part.edges[1] === 0) return null;
  const clear = part.look === "glass";
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(piece(numbers, part.edges), 3));
  const ink = color.clone().multiplyScalar(clear ? 0.8 : 0.35);
  return new THREE.LineSegments(
    geometry,
    new THREE.LineBasicMaterial({ color: ink, transparent: true, opacity: clear ? 0.5 : 0.6 }),
  );
}

function piece(numbers: Float32Array, [first, count]: Span): Float32Array {
  return numbers.slice(first, first + count);
}

/** A box of light that says where something is to be taken from or brought to. */
function zoneOf(zone: Zone, color: string): THREE.Object3D {
  const lower = new THREE.Vector3(...zone.lower), upper = new THREE.Vector3(...zone.upper);
  const size = upper.clone().sub(lower);
  const box = new THREE.BoxGeometry(size.x, size.y, size.z);
  const fill = new THREE.Mesh(
    box,
    new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.12, depthWrite: false }),
  );
  const rim = new THREE.LineSegments(new THREE.EdgesGeometry(box), new THREE.LineBasicMaterial({ color }));
  const group = new THREE.Group().add(fill, rim);
  group.position.copy(lower.add(upper).multiplyScalar(0.5));
  return group;
}

/** Length that one tile of a texture covers, m: neither a dot in large scenes nor a blur in small ones. */
export function tileLength(reach: number): number {
  return Math.min(Math.max(0.25 * reach, 0.1), 1.6);
}

export function middleOf(box: [number[], number[]]): THREE.Vector3 {
  return new THREE.Vector3().fromArray(box[0]).add(new THREE.Vector3().fromArray(box[1])).multiplyScalar(0.5);
}

export function distance(box: [number[], number[]]): number {
  return new THREE.Vector3().fromArray(box[0]).distanceTo(new THREE.Vector3().fromArray(box[1])) || 1;
}

/** 1, 2 or 5 times a power of ten, not above a length by more than a little. */
export function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const share = length / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}
