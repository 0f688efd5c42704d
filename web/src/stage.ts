// The picture: lights, ground, machines, grains, seen by a camera.

import * as THREE from "three";
import { Balls } from "./balls";
import { Cameras, type CameraName } from "./cameras";
import { drawsInSoftware, Effort, type Fineness } from "./effort";
import { Grains } from "./grains";
import { Beds } from "./beds";
import { Belts } from "./belts";
import { Ground } from "./ground";
import type { Daylight } from "./impostor";
import { Poses } from "./poses";
import { Sky } from "./sky";
import { distance, middleOf, Solids } from "./solids";
import type { Theme } from "./theme";
import type { Frame, Roster, SceneMessage } from "./wire";

export const QUALITIES = ["auto", "low", "medium", "high"] as const;
export type Quality = (typeof QUALITIES)[number];

const GAUGES = 250; // pixels that the gauges take at the left
const FINENESS: Record<Exclude<Quality, "auto">, Fineness> = {
  low: { shadows: 0, pixels: 1 }, medium: { shadows: 1024, pixels: 1.5 }, high: { shadows: 2048, pixels: 2 },
};
/** Windows from here on, pixels, have settings open at the right, too. */
export const WIDE = 1100;
/** Shadows around a machine are drawn this far, m; further out nobody misses them. */
const SHADOW_REACH = 9;
/** Even where nothing seems to change, a picture is drawn so often, s. */
const LONGEST_WAIT = 1;

export class Stage {
  private readonly day: Daylight = {
    sun: new THREE.Vector3(0.42, -0.3, 1.0).normalize(),
    sunLight: new THREE.Color(), skyLight: new THREE.Color(), groundLight: new THREE.Color(),
  };
  readonly poses = new Poses();
  readonly grains = new Grains(this.day);
  readonly balls = new Balls(this.poses, this.day);
  readonly solids = new Solids(this.poses);
  readonly ground = new Ground();
  private readonly beds = new Beds(this.poses);
  private readonly belts = new Belts(this.poses);
  readonly cameras: Cameras;
  /** Pictures drawn so far. */
  drawn = 0;
  readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly sky = new Sky();
  private readonly sun = new THREE.DirectionalLight();
  private readonly heaven = new THREE.HemisphereLight();
  private readonly fog = new THREE.Fog(0, 1, 2);
  private theme: Theme;
  private readonly effort: Effort;
  private described: SceneMessage | null = null;
  private reach = 1;
  /** Whether something has changed since the last picture. */
  private stale = true;
  private lastShare = 1;
  private waited = 0;
  private readonly seen = new THREE.Matrix4();

  constructor(canvas: HTMLCanvasElement, theme: Theme, private quality: Quality) {
    this.theme = theme;
    const software = drawsInSoftware();
    this.effort = new Effort(window.devicePixelRatio, software);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !software || quality === "high", preserveDrawingBuffer: false });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.cameras = new Cameras(canvas, this.poses);
    this.sun.castShadow = true;
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.radius = 2;
    this.sun.shadow.intensity = 0.8;
    this.scene.fog = this.fog;
    this.scene.add(this.sky.object, this.sun, this.sun.target, this.heaven, this.cameras.rig);
    this.scene.add(this.ground.object, this.beds.object, this.belts.object, this.solids.object, this.balls.object, this.grains.object);
    this.recolor(theme);
    this.refine(this.quality);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  build(scene: SceneMessage, numbers: Float32Array): void {
    this.described = scene;
    this.stale = true;
    this.poses.clear();
    this.grains.clear(scene.links);
    this.balls.build(scene, numbers);
    this.solids.build(scene, numbers, this.theme);
    this.ground.build(scene, numbers);
    this.beds.build(scene);
    this.belts.build(scene);
    this.cameras.build(scene);
    const reach = distance(scene.subject);
    this.fog.near = 6 * reach;
    this.fog.far = 24 * reach;
    this.reach = 0.75 * reach;
    if (scene.machines.length > 0) this.reach = Math.min(this.reach, SHADOW_REACH);
    this.light(middleOf(scene.subject));
  }

  look(way: CameraName): void {
    this.stale = true;
    this.cameras.look(way);
  }

  take(frame: Frame, roster: Roster, follows: boolean): void {
    this.stale = true;
    this.grains.take(frame, roster, follows);
    this.poses.take(frame.bodies, follows);
    this.ground.take(frame.tiles, frame.epoch);
    this.beds.take(frame.notes.beds ?? {});
    if (frame.count === 0) return;
    let x = 0, y = 0, z = 0;
    for (let i = 0; i < frame.count; i++) {
      x += frame.position[3 * i]!;
      y += frame.position[3 * i + 1]!;
      z += frame.position[3 * i + 2]!;
    }
    this.cameras.watch(new THREE.Vector3(x, y, z).divideScalar(frame.count));
  }

  recolor(theme: Theme): void {
    this.theme = theme;
    this.stale = true;
    this.sky.recolor(theme);
    this.fog.color.set(theme.background);
    this.sun.color.set("#fff4e2");
    this.sun.intensity = 2.4 * theme.sunStrength;
    this.heaven.color.set(theme.sky);
    this.heaven.groundColor.set(theme.ground);
    this.heaven.intensity = 3.6 * theme.skyStrength;
    this.day.sunLight.copy(this.sun.color).multiplyScalar(0.82 * theme.sunStrength);
    this.day.skyLight.copy(this.heaven.color).multiplyScalar(theme.skyStrength);
    this.day.groundLight.copy(this.heaven.groundColor).multiplyScalar(theme.skyStrength);
    this.solids.recolor(theme);
  }

  refine(quality: Quality): void {
    this.quality = quality;
    const samples = this.fineness.shadows;
    this.sun.castShadow = samples > 0;
    if (samples > 0 && this.sun.shadow.mapSize.x !== samples) {
      this.sun.shadow.mapSize.set(samples, samples);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
    }
    this.resize();
  }

  get fineness(): Fineness {
    return this.quality === "auto" ? this.effort.fineness : FINENESS[this.quality];
  }

  /** Draws at a share of the way from the last frame but one to the last; `seconds` since it was last asked to.
   * Where nothing has changed, the last picture stays: a scene that pauses costs nothing. */
  draw(share: number, seconds: number): void {
    const worn = this.renderer.xr.isPresenting;
    if (worn) this.cameras.seat(share);
    else this.cameras.update(share, Math.min(seconds, 0.25));
    this.cameras.camera.updateMatrixWorld();
    this.waited += seconds;
    const still = !worn && !this.stale && share === this.lastShare && this.seen.equals(this.cameras.camera.matrixWorld);
    if (still && this.waited < LONGEST_WAIT) {
      this.effort.rest();
      return;
    }
    this.waited = 0;
    this.stale = false;
    this.lastShare = share;
    this.seen.copy(this.cameras.camera.matrixWorld);
    if (this.quality === "auto" && this.effort.note(seconds)) this.refine("auto");
    this.solids.pose(share);
    this.beds.pose(share);
    this.belts.pose(share);
    if (this.balls.count > 0) this.poses.fill(share);
    this.solids.seenFromCabin(worn || this.cameras.way === "cabin");
    if (this.described !== null && this.described.machines.length > 0) this.light(this.cameras.focus);
    this.grains.prepare(share, this.sun.shadow.mapSize);
    this.balls.shadeAt(this.sun.shadow.mapSize);
    this.renderer.render(this.scene, this.cameras.camera);
    this.drawn++;
  }

  /** Glasses were taken off. */
  unseat(): void {
    this.cameras.unseat();
    this.resize();
  }

  /** Where the eyes of whoever wears glasses are, m; nobody: none. */
  get eyes(): number[][] {
    if (!this.renderer.xr.isPresenting) return [];
    return this.renderer.xr.getCamera().cameras.map((eye) => new THREE.Vector3().setFromMatrixPosition(eye.matrixWorld).toArray());
  }

  /** Sun and its shadows around a place, in steps of the map's pixels, so that edges do not swim. */
  private light(middle: THREE.Vector3): void {
    const reach = this.reach;
    const step = (2 * reach) / Math.max(this.sun.shadow.mapSize.x, 1);
    const place = this.sun.target.position.copy(middle).divideScalar(step).round().multiplyScalar(step);
    this.sun.position.copy(place).addScaledVector(this.day.sun, 3 * reach);
    const camera = this.sun.shadow.camera;
    if (camera.right === reach) return;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.5 * reach;
    camera.far = 6 * reach;
    this.sun.shadow.normalBias = 0.002 * reach;
    camera.updateProjectionMatrix();
  }

  /** Colours of grains have changed. */
  painted(): void {
    this.grains.painted();
    this.stale = true;
  }

  private resize(): void {
    if (this.renderer.xr.isPresenting) return;
    this.stale = true;
    const canvas = this.renderer.domElement;
    const width = Math.max(canvas.clientWidth, 1);
    const height = Math.max(canvas.clientHeight, 1);
    const camera = this.cameras.camera;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, this.fineness.pixels));
    this.renderer.setSize(width, height, false);
    camera.aspect = width / height;
    // Where only the gauges cover an edge, the middle of the picture is right of the middle of the window.
    const covered = width > 700 && width < WIDE ? GAUGES : 0;
    if (covered > 0) camera.setViewOffset(width, height, -0.5 * covered, 0, width, height);
    else camera.clearViewOffset();
    this.cameras.room = (width - covered) / height;
    camera.updateProjectionMatrix();
  }
}
