// Bodies made of balls, such as rocks: all balls of all bodies in one draw call, placed by a texture of poses, so
// that hundreds of rocks cost the page next to nothing. Their pattern is fixed to the body, and turns with it.

import * as THREE from "three";
import { noise } from "./colors";
import { BALL, DISC, LIGHT, litUniforms, seeFrom, SHADOW_FRAGMENT, shadowWindow, type Daylight } from "./impostor";
import { BODIES_PER_LINE, type Poses } from "./poses";
import { surfaceOf, tilesOf, TRIPLANAR, TRIPLANAR_LAYERS, type SurfaceKind } from "./textures";
import type { BallPart, SceneMessage } from "./wire";

const VERTEX = /* glsl */ `
attribute float radius;
attribute float row;
attribute vec3 tint;
attribute vec2 skin;
uniform sampler2D poses;
varying vec3 vTint;
flat varying vec4 vTurn;
flat varying vec3 vOwn;
flat varying vec2 vSkin;
${DISC}
vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
  int body = int(row + 0.5);
  ivec2 cell = ivec2(2 * (body % ${BODIES_PER_LINE}), body / ${BODIES_PER_LINE});
  vec3 origin = texelFetch(poses, cell, 0).xyz;
  vec4 turn = texelFetch(poses, cell + ivec2(1, 0), 0);
  placeBall(viewMatrix * vec4(origin + turned(turn, position), 1.0), radius);
  vTint = pow(tint, vec3(2.2));
  vTurn = vec4(-turn.xyz, turn.w);
  vOwn = position;
  vSkin = skin;
}
`;

const FRAGMENT = /* glsl */ `
${LIGHT}
uniform highp sampler2DArray tiles;
varying vec3 vTint;
flat varying vec4 vTurn;
flat varying vec3 vOwn;
flat varying vec2 vSkin;
${BALL}
${TRIPLANAR}
${TRIPLANAR_LAYERS}
vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
  vec3 n = ballNormal();
  vec3 place = vCentre + n * vRadius;
  gl_FragDepth = depthOf(place);
  vec3 own = turned(vTurn, (viewToWorld * vec4(n, 0.0)).xyz);
  float factor = layerFactor(tiles, vSkin.x, (vOwn + own * vRadius) * vSkin.y, own, 1.3);
  float rim = mix(0.6, 1.0, n.z);
  gl_FragColor = vec4(vTint * factor * lightAt(place, n, 0.08 * vRadius, rim), 1.0);
  #include <colorspace_fragment>
}
`;

export class Balls {
  readonly object: THREE.Points;
  count = 0;
  private readonly material: THREE.ShaderMaterial;
  private readonly shadowMaterial: THREE.ShaderMaterial;

  constructor(poses: Poses, day: Daylight) {
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      lights: true,
      uniforms: litUniforms({ poses: poses.texture, tiles: { value: tilesOf(["rock"]) } }),
    });
    this.shadowMaterial = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: SHADOW_FRAGMENT,
      uniforms: { poses: poses.texture, viewport: { value: new THREE.Vector4() } },
    });
    this.object = new THREE.Points(new THREE.BufferGeometry(), this.material);
    this.object.customDepthMaterial = this.shadowMaterial;
    this.object.castShadow = this.object.receiveShadow = true;
    this.object.frustumCulled = false;
    this.object.visible = false;
    this.object.onBeforeRender = (renderer, _, camera) => seeFrom(this.material, renderer, camera, day);
  }

  build(scene: Pick<SceneMessage, "balls" | "materials">, numbers: Float32Array): void {
    const kinds = surfacesOf(scene);
    const { position, radius, row, tint, skin } = arraysOf(scene, kinds, numbers);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("radius", new THREE.BufferAttribute(radius, 1));
    geometry.setAttribute("row", new THREE.BufferAttribute(row, 1));
    geometry.setAttribute("tint", new THREE.BufferAttribute(tint, 3, true));
    geometry.setAttribute("skin", new THREE.BufferAttribute(skin, 2));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
    this.count = radius.length;
    this.object.visible = this.count > 0;
    if (this.count === 0) return;
    const tiles = this.material.uniforms["tiles"] as THREE.IUniform<THREE.DataArrayTexture>;
    tiles.value.dispose();
    tiles.value = tilesOf(kinds);
  }

  /** Pixels of the map of shadows. */
  shadeAt(shadows: THREE.Vector2): void {
    shadowWindow(this.shadowMaterial, shadows);
  }
}

type Told = Pick<SceneMessage, "balls" | "materials">;

/** What bodies made of balls look like, each kind once. */
export function surfacesOf(scene: Told): SurfaceKind[] {
  return [...new Set(scene.balls.map((part) => kindOf(part, scene)))];
}

function kindOf(part: BallPart, scene: Told): SurfaceKind {
  return surfaceOf(scene.materials[part.material] ?? { name: "rock" });
}

/** One entry per ball; balls of one body have one shade, a little off that of its neighbours. `skin`: number of the
 * kind of surface, and tiles per metre, which suit the mean size of the balls of a material. */
export function arraysOf(scene: Told, kinds: SurfaceKind[], numbers: Float32Array): {
  position: Float32Array;
  radius: Float32Array;
  row: Float32Array;
  tint: Uint8Array;
  skin: Float32Array;
} {
  const count = scene.balls.reduce((sum, part) => sum + part.rows[1] / 4, 0);
  const position = new Float32Array(3 * count), radius = new Float32Array(count), row = new Float32Array(count);
  const tint = new Uint8Array(3 * count), skin = new Float32Array(2 * count);
  const sizes = new Map<number, { sum: number; count: number }>();
  let k = 0;
  for (const part of scene.balls) {
    const bright = 0.86 + 0.28 * noise(part.body + 1);
    const size = sizes.get(part.material) ?? { sum: 0, count: 0 };
    sizes.set(part.material, size);
    for (let at = part.rows[0]; at < part.rows[0] + part.rows[1]; at += 4, k++) {
      position.set(numbers.subarray(at, at + 3), 3 * k);
      size.sum += radius[k] = numbers[at + 3]!;
      size.count++;
      row[k] = part.body;
      for (let c = 0; c < 3; c++) tint[3 * k + c] = Math.min(255 * part.color[c]! * bright, 255);
    }
  }
  k = 0;
  for (const part of scene.balls) {
    const layer = kinds.indexOf(kindOf(part, scene));
    const { sum, count } = sizes.get(part.material)!;
    for (let n = part.rows[1] / 4; n > 0; n--, k++) skin.set([layer, count / (6 * sum)], 2 * k);
  }
  return { position, radius, row, tint, skin };
}
