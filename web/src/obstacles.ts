// Obstacles and floors: made once per scene, moved with each frame.

import * as THREE from "three";
import { BODY_FLOATS, type MeshPart, type SceneMessage } from "./wire";
import type { Theme } from "./theme";

const GRID = /* glsl */ `
#include <color_fragment>
{
  vec2 cell = vPlace.xy / gridSize;
  vec2 width = max(fwidth(cell), vec2(1e-5));
  vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  line *= 1.0 - smoothstep(0.15, 0.6, max(width.x, width.y));
  diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, 0.55 * line);
}
`;

interface Placed {
  body: number;
  object: THREE.Object3D;
}

export class Obstacles {
  readonly object = new THREE.Group();
  private placed: Placed[] = [];
  private floors: THREE.MeshLambertMaterial[] = [];
  private readonly gridColor = { value: new THREE.Color() };
  private readonly gridSize = { value: 1 };
  private before: Float32Array = new Float32Array(0);
  private now: Float32Array = new Float32Array(0);
  private readonly from = new THREE.Quaternion();
  private readonly to = new THREE.Quaternion();

  build(scene: SceneMessage, numbers: Float32Array, theme: Theme): void {
    this.clear();
    const reach = distance(scene.subject);
    this.gridSize.value = roundLength(reach / 8);
    for (const part of scene.meshes) this.place(part.body, meshOf(part, numbers));
    for (const floor of scene.floors) this.place(floor.body, this.floorOf(floor.normal, floor.offset, scene, reach));
    this.recolor(theme);
  }

  recolor(theme: Theme): void {
    this.gridColor.value.set(theme.grid);
    for (const material of this.floors) material.color.set(theme.floor);
  }

  get gridLength(): number {
    return this.gridSize.value;
  }

  /** Where the bodies are from now on. */
  take(bodies: Float32Array, follows: boolean): void {
    this.before = follows && this.now.length === bodies.length ? this.now : bodies;
    this.now = bodies;
  }

  /** Moves all to where they are at a share of the way from the frame before to the newest. */
  pose(share: number): void {
    for (const { body, object } of this.placed) {
      if (body < 0) continue;
      this.positionOf(body, share, object.position);
      const k = body * BODY_FLOATS + 3;
      this.from.fromArray(this.before, k);
      object.quaternion.copy(this.from.slerp(this.to.fromArray(this.now, k), share));
    }
  }

  positionOf(body: number, share: number, target: THREE.Vector3): THREE.Vector3 {
    const k = body * BODY_FLOATS;
    if (k + 2 >= this.now.length) return target;
    const at = (c: number): number => this.before[k + c]! + (this.now[k + c]! - this.before[k + c]!) * share;
    return target.set(at(0), at(1), at(2));
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
    this.floors = [];
    this.before = this.now = new Float32Array(0);
  }

  private floorOf(normal: [number, number, number], offset: number, scene: SceneMessage, reach: number): THREE.Object3D {
    const material = new THREE.MeshLambertMaterial();
    material.onBeforeCompile = (shader) => {
      shader.uniforms["gridColor"] = this.gridColor;
      shader.uniforms["gridSize"] = this.gridSize;
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vPlace;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = (modelMatrix * vec4(position, 1.0)).xyz;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vPlace;\nuniform vec3 gridColor;\nuniform float gridSize;")
        .replace("#include <color_fragment>", GRID);
    };
    this.floors.push(material);
    const floor = new THREE.Mesh(new THREE.CircleGeometry(30 * reach, 64), material);
    floor.receiveShadow = true;
    const n = new THREE.Vector3(...normal);
    floor.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), n);
    // The disc is centred below the subject; a floor has no middle of its own.
    const middle = middleOf(scene.subject);
    floor.position.copy(middle).addScaledVector(n, offset - middle.dot(n));
    const holder = new THREE.Group();
    holder.add(floor);
    return holder;
  }
}

function meshOf(part: MeshPart, numbers: Float32Array): THREE.Object3D {
  const slice = ([first, count]: [number, number]): Float32Array => numbers.slice(first, first + count);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(slice(part.corners), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(slice(part.normals), 3));
  const color = new THREE.Color().setRGB(...part.color, THREE.SRGBColorSpace);
  const glass = part.look === "glass";
  const material = new THREE.MeshStandardMaterial({
    color,
    side: THREE.DoubleSide,
    roughness: 0.6,
    ...(glass ? { transparent: true, opacity: 0.09, depthWrite: false } : {}),
  });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.castShadow = !glass;
  mesh.receiveShadow = !glass;
  const group = new THREE.Group();
  group.add(mesh);
  if (part.edges[1] > 0) {
    const edges = new THREE.BufferGeometry();
    edges.setAttribute("position", new THREE.BufferAttribute(slice(part.edges), 3));
    const ink = color.clone().multiplyScalar(glass ? 0.8 : 0.35);
    group.add(new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: ink, transparent: true, opacity: glass ? 0.5 : 0.8 })));
  }
  return group;
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
