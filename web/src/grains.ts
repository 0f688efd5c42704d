// Grains as points that are drawn as balls: each covers a square on the screen, and the fragment shader gives
// it the shape, shading and depth of a sphere. They cast and take shadows like everything else.

import * as THREE from "three";
import { buried } from "./buried";
import { BALL, DISC, LIGHT, litUniforms, seeFrom, SHADOW_FRAGMENT, shadowWindow, type Daylight } from "./impostor";
import { openness } from "./openness";
import { alignedBefore } from "./timeline";
import type { Frame, Roster } from "./wire";

const VERTEX = /* glsl */ `
attribute vec3 before;
attribute float radius;
attribute vec4 tint;
uniform float blend;
varying vec4 vTint;
${DISC}
void main() {
  placeBall(modelViewMatrix * vec4(mix(before, position, blend), 1.0), radius);
  vTint = vec4(pow(tint.rgb, vec3(2.2)), tint.a);
  if (tint.a == 0.0) gl_Position = vec4(0.0, 0.0, 2.0, 1.0); // buried: outside of every picture
}
`;

const FRAGMENT = /* glsl */ `
${LIGHT}
varying vec4 vTint;
${BALL}
void main() {
  vec3 n = ballNormal();
  vec3 place = vCentre + n * vRadius;
  gl_FragDepth = depthOf(place);
  // Towards its rim a grain lies between its neighbours and sees less of the sky.
  float rim = mix(0.55, 1.0, n.z);
  gl_FragColor = vec4(vTint.rgb * lightAt(place, n, 0.12 * vRadius, vTint.a * rim), 1.0);
  #include <colorspace_fragment>
}
`;

const SHADE_EVERY = 80; // ms; what grains see of the sky changes slowly

const LINK_VERTEX = /* glsl */ `
attribute vec3 before;
uniform float blend;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(mix(before, position, blend), 1.0);
}
`;

const LINK_FRAGMENT = /* glsl */ `
void main() {
  gl_FragColor = vec4(0.30, 0.25, 0.20, 1.0);
  #include <colorspace_fragment>
}
`;

export class Grains {
  readonly object = new THREE.Group();
  /** Red, green, blue and openness of each grain; openness 0: it is buried. */
  tint: Uint8Array = new Uint8Array(0);
  count = 0;
  private capacity = 0;
  private readonly blend = { value: 1 };
  private readonly material: THREE.ShaderMaterial;
  private readonly shadowMaterial: THREE.ShaderMaterial;
  private readonly points: THREE.Points;
  private readonly lines: THREE.LineSegments;
  private last: { position: Float32Array; roster: Roster } | null = null;
  private links: [number, number][] = [];
  private linkedRoster = -1;
  private shaded = -Infinity;

  constructor(day: Daylight) {
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      lights: true,
      uniforms: litUniforms({ blend: this.blend }),
    });
    this.shadowMaterial = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: SHADOW_FRAGMENT,
      uniforms: { blend: this.blend, viewport: { value: new THREE.Vector4() } },
    });
    this.points = new THREE.Points(new THREE.BufferGeometry(), this.material);
    this.points.customDepthMaterial = this.shadowMaterial;
    this.points.castShadow = true;
    this.points.receiveShadow = true;
    this.points.frustumCulled = false;
    this.points.onBeforeRender = (renderer, _, camera) => seeFrom(this.material, renderer, camera, day);
    this.lines = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.ShaderMaterial({ vertexShader: LINK_VERTEX, fragmentShader: LINK_FRAGMENT, uniforms: { blend: this.blend } }),
    );
    this.lines.frustumCulled = false;
    this.object.add(this.points, this.lines);
  }

  /** Forgets all grains; `links` are pairs of ids that hold each other. */
  clear(links: [number, number][]): void {
    this.last = null;
    this.links = links;
    this.linkedRoster = -1;
    this.show(0);
  }

  /** Takes in a frame; `follows` says whether it may be reached by gliding from the one before. */
  take(frame: Frame, roster: Roster, follows: boolean): void {
    if (frame.count === 0) {
      this.last = null;
      this.show(0);
      return;
    }
    if (frame.count > this.capacity) this.grow(frame.count);
    const now = { position: frame.position, roster };
    const before = alignedBefore(follows ? this.last : null, now);
    this.write("position", frame.position);
    this.write("before", before);
    this.write("radius", roster.radius);
    const time = performance.now();
    if (this.last?.roster !== roster || !follows || time - this.shaded > SHADE_EVERY) {
      this.shaded = time;
      this.shade(frame, roster);
    }
    this.last = now;
    this.show(frame.count);
    if (this.links.length > 0 && this.linkedRoster !== roster.number) this.tie(roster);
  }

  private shade(frame: Frame, roster: Roster): void {
    const open = openness(frame.position, roster.radius, frame.count);
    const hidden = buried(frame.position, roster.radius, frame.count);
    for (let i = 0; i < frame.count; i++) this.tint[4 * i + 3] = hidden[i] === 1 ? 0 : 255 * open[i]!;
  }

  /** The colours in `tint` have changed. */
  painted(): void {
    this.attribute("tint").needsUpdate = true;
  }

  /** Called before each picture: share of the way from the frame before, pixels of the map of shadows. */
  prepare(blend: number, shadows: THREE.Vector2): void {
    this.blend.value = blend;
    shadowWindow(this.shadowMaterial, shadows);
  }

  private show(count: number): void {
    this.count = count;
    this.points.geometry.setDrawRange(0, count);
    this.points.visible = count > 0;
    this.lines.visible = count > 0 && this.links.length > 0;
  }

  private attribute(name: string): THREE.BufferAttribute {
    return this.points.geometry.getAttribute(name) as THREE.BufferAttribute;
  }

  private write(name: string, values: Float32Array): void {
    const attribute = this.attribute(name);
    (attribute.array as Float32Array).set(values);
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, values.length);
    attribute.needsUpdate = true;
  }

  private grow(count: number): void {
    this.capacity = Math.ceil(count * 1.5) + 64;
    this.points.geometry.dispose();
    this.lines.geometry.dispose();
    const geometry = new THREE.BufferGeometry();
    this.tint = new Uint8Array(4 * this.capacity).fill(255);
    const streamed = (array: Float32Array | Uint8Array, size: number, normalized = false): THREE.BufferAttribute => {
      const attribute = new THREE.BufferAttribute(array, size, normalized);
      attribute.setUsage(THREE.DynamicDrawUsage);
      return attribute;
    };
    geometry.setAttribute("position", streamed(new Float32Array(3 * this.capacity), 3));
    geometry.setAttribute("before", streamed(new Float32Array(3 * this.capacity), 3));
    geometry.setAttribute("radius", streamed(new Float32Array(this.capacity), 1));
    geometry.setAttribute("tint", streamed(this.tint, 4, true));
    this.points.geometry = geometry;
    const tied = new THREE.BufferGeometry();
    tied.setAttribute("position", geometry.getAttribute("position"));
    tied.setAttribute("before", geometry.getAttribute("before"));
    this.lines.geometry = tied;
    this.linkedRoster = -1;
  }

  private tie(roster: Roster): void {
    const row = new Map<number, number>();
    roster.id.forEach((id, k) => row.set(id, k));
    const index: number[] = [];
    for (const [a, b] of this.links) {
      const first = row.get(a), second = row.get(b);
      if (first !== undefined && second !== undefined) index.push(first, second);
    }
    this.lines.geometry.setIndex(index);
    this.linkedRoster = roster.number;
  }
}
