// Bodies made of balls, such as rocks: all balls of all bodies in one draw call, placed by a texture of poses, so
// that hundreds of rocks cost the page next to nothing. Their pattern is fixed to the body, and turns with it.

import * as THREE from "three";
import { noise } from "./colors";
import { BALL, LIGHT, litUniforms, pictureHeight, seeFrom, SHADOW_FRAGMENT, type Daylight } from "./impostor";
import { BODIES_PER_LINE, type Poses } from "./poses";
import { surfaceOf, tileOf, TRIPLANAR } from "./textures";
import type { BallPart, SceneMessage } from "./wire";

const VERTEX = /* glsl */ `
attribute float radius;
attribute float row;
attribute vec3 tint;
uniform sampler2D poses;
uniform float viewportHeight;
varying vec3 vCentre;
varying float vRadius;
varying vec3 vTint;
flat varying vec4 vTurn;
flat varying vec3 vOwn;

vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
  int body = int(row + 0.5);
  ivec2 cell = ivec2(2 * (body % ${BODIES_PER_LINE}), body / ${BODIES_PER_LINE});
  vec3 origin = texelFetch(poses, cell, 0).xyz;
  vec4 turn = texelFetch(poses, cell + ivec2(1, 0), 0);
  vec4 centre = viewMatrix * vec4(origin + turned(turn, position), 1.0);
  gl_Position = projectionMatrix * centre;
  gl_PointSize = max(radius * projectionMatrix[1][1] * viewportHeight / gl_Position.w, 1.0);
  vCentre = centre.xyz;
  vRadius = radius;
  vTint = pow(tint, vec3(2.2));
  vTurn = vec4(-turn.xyz, turn.w);
  vOwn = position;
}
`;

const FRAGMENT = /* glsl */ `
${LIGHT}
uniform sampler2D tile;
uniform float tileSize;
varying vec3 vTint;
flat varying vec4 vTurn;
flat varying vec3 vOwn;
${BALL}
${TRIPLANAR}
vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

void main() {
  vec3 n = ballNormal();
  vec3 place = vCentre + n * vRadius;
  gl_FragDepth = depthOf(place);
  vec3 own = turned(vTurn, (viewToWorld * vec4(n, 0.0)).xyz);
  float factor = tileFactor(tile, (vOwn + own * vRadius) / tileSize, own, 1.3);
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
      uniforms: litUniforms({ poses: poses.texture, tile: { value: tileOf("rock") }, tileSize: { value: 1 } }),
    });
    this.shadowMaterial = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: SHADOW_FRAGMENT,
      uniforms: { poses: poses.texture, viewportHeight: { value: 1024 } },
    });
    this.object = new THREE.Points(new THREE.BufferGeometry(), this.material);
    this.object.customDepthMaterial = this.shadowMaterial;
    this.object.castShadow = this.object.receiveShadow = true;
    this.object.frustumCulled = false;
    this.object.visible = false;
    this.object.onBeforeRender = (renderer, _, camera) => seeFrom(this.material, camera, pictureHeight(renderer, camera), day);
  }

  build(scene: Pick<SceneMessage, "balls" | "materials">, numbers: Float32Array): void {
    const parts = scene.balls;
    const { position, radius, row, tint } = arraysOf(parts, numbers);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("radius", new THREE.BufferAttribute(radius, 1));
    geometry.setAttribute("row", new THREE.BufferAttribute(row, 1));
    geometry.setAttribute("tint", new THREE.BufferAttribute(tint, 3, true));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
    this.count = radius.length;
    this.object.visible = this.count > 0;
    if (this.count === 0) return;
    const mean = radius.reduce((sum, value) => sum + value, 0) / radius.length;
    const material = scene.materials[parts[0]!.material] ?? { name: "rock" };
    this.material.uniforms["tile"]!.value = tileOf(surfaceOf(material));
    this.material.uniforms["tileSize"]!.value = 6 * mean;
  }

  /** Pixels of the map of shadows, from top to bottom. */
  shadeAt(height: number): void {
    this.shadowMaterial.uniforms["viewportHeight"]!.value = height;
  }
}

/** One entry per ball; balls of one body have one shade, a little off that of its neighbours. */
export function arraysOf(parts: BallPart[], numbers: Float32Array): {
  position: Float32Array;
  radius: Float32Array;
  row: Float32Array;
  tint: Uint8Array;
} {
  const count = parts.reduce((sum, part) => sum + part.rows[1] / 4, 0);
  const position = new Float32Array(3 * count), radius = new Float32Array(count), row = new Float32Array(count);
  const tint = new Uint8Array(3 * count);
  let k = 0;
  for (const part of parts) {
    const bright = 0.86 + 0.28 * noise(part.body + 1);
    for (let at = part.rows[0]; at < part.rows[0] + part.rows[1]; at += 4, k++) {
      position.set(numbers.subarray(at, at + 3), 3 * k);
      radius[k] = numbers[at + 3]!;
      row[k] = part.body;
      for (let c = 0; c < 3; c++) tint[3 * k + c] = Math.min(255 * part.color[c]! * bright, 255);
    }
  }
  return { position, radius, row, tint };
}
