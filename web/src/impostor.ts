// Balls drawn as points: shader code that grains and the balls of bodies share, and the numbers it needs.

import * as THREE from "three";

/** Vertex side: where the point is that covers a ball. By its place in the window, as some drivers turn gl_PointCoord
 * upside down once shadows are drawn. */
export const DISC = /* glsl */ `
uniform vec4 viewport;
varying vec3 vCentre;
varying float vRadius;
flat varying vec3 vDisc;

// centre in view axes.
void placeBall(vec4 centre, float radius) {
  gl_Position = projectionMatrix * centre;
  gl_PointSize = max(radius * projectionMatrix[1][1] * viewport.w / gl_Position.w, 1.0);
  vCentre = centre.xyz;
  vRadius = radius;
  vDisc = vec3(viewport.xy + (0.5 * gl_Position.xy / gl_Position.w + 0.5) * viewport.zw, 0.5 * gl_PointSize);
}
`;

/** Fragment side: the ball under a fragment. */
export const BALL = /* glsl */ `
varying vec3 vCentre;
varying float vRadius;
flat varying vec3 vDisc;

// Normal of the ball under this fragment, in view axes; outside of it nothing is drawn.
vec3 ballNormal() {
  vec2 at = (gl_FragCoord.xy - vDisc.xy) / vDisc.z;
  float square = dot(at, at);
  if (square > 1.0) discard;
  return vec3(at, sqrt(1.0 - square));
}

float depthOf(vec3 place) {
  vec4 clip = projectionMatrix * vec4(place, 1.0);
  return 0.5 * clip.z / clip.w + 0.5;
}
`;

/** Fragment side: light of the sun, with shadows, and of sky and ground. */
export const LIGHT = /* glsl */ `
#include <common>
#include <packing>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
uniform mat4 projectionMatrix;
uniform mat4 viewToWorld;
uniform vec3 sun;
uniform vec3 up;
uniform vec3 sunLight;
uniform vec3 skyLight;
uniform vec3 groundLight;
#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
#endif

// place and n in view axes; lift: distance off the surface, or balls would shade themselves.
vec3 lightAt(vec3 place, vec3 n, float lift, float open) {
  float lit = max(dot(n, sun), 0.0);
  #if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
  if (lit > 0.0) {
    vec4 world = viewToWorld * vec4(place + (n + sun) * lift, 1.0);
    DirectionalLightShadow shadow = directionalLightShadows[ 0 ];
    lit *= getShadow(directionalShadowMap[ 0 ], shadow.shadowMapSize, shadow.shadowIntensity,
      shadow.shadowBias, shadow.shadowRadius, directionalShadowMatrix[ 0 ] * world);
  }
  #endif
  return sunLight * lit + mix(groundLight, skyLight, 0.5 + 0.5 * dot(n, up)) * open;
}
`;

export const SHADOW_FRAGMENT = /* glsl */ `
uniform mat4 projectionMatrix;
${BALL}
void main() {
  vec3 n = ballNormal();
  gl_FragDepth = depthOf(vCentre + n * vRadius);
  gl_FragColor = vec4(1.0);
}
`;

export interface Daylight {
  /** Direction to the sun, in the world. */
  sun: THREE.Vector3;
  sunLight: THREE.Color;
  skyLight: THREE.Color;
  groundLight: THREE.Color;
}

type Uniforms = Record<string, THREE.IUniform>;

export function litUniforms(own: Uniforms): Uniforms {
  return {
    ...THREE.UniformsUtils.clone(THREE.UniformsLib.lights),
    viewport: { value: new THREE.Vector4(0, 0, 1, 1) },
    viewToWorld: { value: new THREE.Matrix4() },
    sun: { value: new THREE.Vector3() },
    up: { value: new THREE.Vector3() },
    sunLight: { value: new THREE.Color() },
    skyLight: { value: new THREE.Color() },
    groundLight: { value: new THREE.Color() },
    ...own,
  };
}

/** Sets what depends on the eye: with glasses on there are two, each with its own part of the screen. */
export function seeFrom(material: THREE.ShaderMaterial, renderer: THREE.WebGLRenderer, camera: THREE.Camera, day: Daylight): void {
  const uniforms = material.uniforms;
  (uniforms["viewport"]!.value as THREE.Vector4).copy(windowOf(renderer, camera));
  (uniforms["viewToWorld"]!.value as THREE.Matrix4).copy(camera.matrixWorld);
  (uniforms["sun"]!.value as THREE.Vector3).copy(day.sun).transformDirection(camera.matrixWorldInverse);
  (uniforms["up"]!.value as THREE.Vector3).set(0, 0, 1).transformDirection(camera.matrixWorldInverse);
  (uniforms["sunLight"]!.value as THREE.Color).copy(day.sunLight);
  (uniforms["skyLight"]!.value as THREE.Color).copy(day.skyLight);
  (uniforms["groundLight"]!.value as THREE.Color).copy(day.groundLight);
  material.uniformsNeedUpdate = true;
}

/** Part of the window that a camera draws: left, bottom, width, height, pixels. */
function windowOf(renderer: THREE.WebGLRenderer, camera: THREE.Camera): THREE.Vector4 {
  const eye = (camera as THREE.PerspectiveCamera & { viewport?: THREE.Vector4 }).viewport;
  if (eye !== undefined) return eye;
  const size = renderer.getDrawingBufferSize(new THREE.Vector2());
  return new THREE.Vector4(0, 0, size.x, size.y);
}

/** The same for a map of shadows. */
export function shadowWindow(material: THREE.ShaderMaterial, size: THREE.Vector2): void {
  (material.uniforms["viewport"]!.value as THREE.Vector4).set(0, 0, size.x, size.y);
}
