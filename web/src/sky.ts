// The sky: brighter at the horizon, where the ground fades into it.

import * as THREE from "three";
import type { Theme } from "./theme";

const VERTEX = /* glsl */ `
varying vec3 vWay;
void main() {
  vWay = position;
  // Turned with the camera, but never nearer: it has no place, only directions.
  gl_Position = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
  gl_Position.z = gl_Position.w;
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 horizon;
uniform vec3 zenith;
varying vec3 vWay;
void main() {
  float height = max(normalize(vWay).z, 0.0);
  gl_FragColor = vec4(mix(horizon, zenith, pow(height, 0.6)), 1.0);
  #include <colorspace_fragment>
}
`;

export class Sky {
  readonly object: THREE.Mesh;
  private readonly uniforms = { horizon: { value: new THREE.Color() }, zenith: { value: new THREE.Color() } };

  constructor() {
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.uniforms, side: THREE.BackSide, depthWrite: false,
    });
    this.object = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -1;
  }

  recolor(theme: Theme): void {
    this.uniforms.horizon.value.set(theme.background);
    this.uniforms.zenith.value.set(theme.zenith);
  }
}
