// The picture: lights, floor, obstacles, grains and cameras.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Grains } from "./grains";
import { Obstacles, distance, middleOf } from "./obstacles";
import type { Theme } from "./theme";
import type { Frame, Roster, SceneMessage } from "./wire";

export const CAMERAS = ["orbit", "top", "follow"] as const;
export type CameraName = (typeof CAMERAS)[number];
export const QUALITIES = ["low", "medium", "high"] as const;
export type Quality = (typeof QUALITIES)[number];

const SUN = new THREE.Vector3(0.42, -0.3, 1.0).normalize();
const GAUGES = 250; // pixels that the gauges take at the left
const SHADOW_SAMPLES: Record<Quality, number> = { low: 0, medium: 1024, high: 2048 };
const PIXEL_RATIO: Record<Quality, number> = { low: 1, medium: 1.5, high: 2 };

export class Stage {
  readonly grains = new Grains();
  readonly obstacles = new Obstacles();
  /** Pictures drawn so far. */
  drawn = 0;
  follow = -1;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  private readonly controls: OrbitControls;
  private readonly sun = new THREE.DirectionalLight();
  private readonly sky = new THREE.HemisphereLight();
  private readonly fog = new THREE.Fog(0, 1, 2);
  private theme: Theme;
  private quality: Quality = "medium";
  private described: SceneMessage | null = null;
  private way: CameraName = "orbit";
  private readonly followed = new THREE.Vector3();
  private readonly middle = new THREE.Vector3();
  private following = false;

  constructor(canvas: HTMLCanvasElement, theme: Theme) {
    this.theme = theme;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.sun.castShadow = true;
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.radius = 2;
    this.sun.shadow.intensity = 0.8;
    this.scene.fog = this.fog;
    this.scene.add(this.sun, this.sun.target, this.sky, this.obstacles.object, this.grains.object);
    this.recolor(theme);
    this.refine(this.quality);
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  build(scene: SceneMessage, numbers: Float32Array): void {
    const keepCamera = this.described !== null && this.described.title === scene.title;
    this.described = scene;
    this.grains.clear(scene.links);
    this.obstacles.build(scene, numbers, this.theme);
    this.follow = scene.bodies.findIndex((body) => body.moves);
    const reach = distance(scene.subject);
    const middle = middleOf(scene.subject);
    this.middle.copy(middle);
    this.camera.fov = scene.camera.field_of_view_deg;
    this.camera.near = 0.005 * reach;
    this.camera.far = 80 * reach;
    this.fog.near = 6 * reach;
    this.fog.far = 24 * reach;
    this.light(middle, 0.75 * reach);
    if (!keepCamera) this.look(this.way === "follow" ? "orbit" : this.way);
    this.camera.updateProjectionMatrix();
  }

  /** Goes to a camera's own place. */
  look(way: CameraName): void {
    this.way = way;
    this.following = false;
    const scene = this.described;
    if (scene === null) return;
    const reach = distance(scene.subject);
    const middle = middleOf(scene.subject);
    if (way === "top") {
      this.controls.target.copy(middle);
      this.camera.position.set(middle.x, middle.y - 1e-3 * reach, middle.z + 1.7 * reach);
    } else if (way === "orbit") {
      this.controls.target.fromArray(scene.camera.target);
      this.camera.position.fromArray(scene.camera.eye);
    }
    this.controls.update();
  }

  get cameraName(): CameraName {
    return this.way;
  }

  take(frame: Frame, roster: Roster, follows: boolean): void {
    this.grains.take(frame, roster, follows);
    this.obstacles.take(frame.bodies, follows);
    if (frame.count > 0) {
      let x = 0, y = 0, z = 0;
      for (let i = 0; i < frame.count; i++) {
        x += frame.position[3 * i]!;
        y += frame.position[3 * i + 1]!;
        z += frame.position[3 * i + 2]!;
      }
      this.middle.set(x, y, z).divideScalar(frame.count);
    }
  }

  recolor(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(theme.background);
    this.fog.color.set(theme.background);
    this.sun.color.set("#fff4e2");
    this.sun.intensity = 2.4 * theme.sunStrength;
    this.sky.color.set(theme.sky);
    this.sky.groundColor.set(theme.ground);
    this.sky.intensity = 3.6 * theme.skyStrength;
    this.obstacles.recolor(theme);
  }

  refine(quality: Quality): void {
    this.quality = quality;
    const samples = SHADOW_SAMPLES[quality];
    this.sun.castShadow = samples > 0;
    if (samples > 0 && this.sun.shadow.mapSize.x !== samples) {
      this.sun.shadow.mapSize.set(samples, samples);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
    }
    this.resize();
  }

  draw(share: number): void {
    this.obstacles.pose(share);
    this.chase(share);
    this.controls.update();
    this.camera.updateMatrixWorld();
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    this.grains.prepare({
      camera: this.camera,
      height: size.y,
      shadowHeight: this.sun.shadow.mapSize.y,
      sun: SUN,
      sunLight: this.sun.color.clone().multiplyScalar(0.82 * this.theme.sunStrength),
      skyLight: this.sky.color.clone().multiplyScalar(this.theme.skyStrength),
      groundLight: this.sky.groundColor.clone().multiplyScalar(this.theme.skyStrength),
      blend: share,
    });
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
  }

  /** Moves camera and target along with what is followed. */
  private chase(share: number): void {
    if (this.way !== "follow") return;
    const place = this.middle.clone();
    if (this.follow >= 0) this.obstacles.positionOf(this.follow, share, place);
    if (!this.following) {
      this.camera.position.add(place).sub(this.controls.target);
      this.controls.target.copy(place);
      this.following = true;
    } else {
      const moved = place.clone().sub(this.followed);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    }
    this.followed.copy(place);
  }

  private light(middle: THREE.Vector3, reach: number): void {
    this.sun.position.copy(middle).addScaledVector(SUN, 3 * reach);
    this.sun.target.position.copy(middle);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.5 * reach;
    camera.far = 6 * reach;
    this.sun.shadow.normalBias = 0.002 * reach;
    camera.updateProjectionMatrix();
  }

  private resize(): void {
    const canvas = this.renderer.domElement;
    const width = Math.max(canvas.clientWidth, 1);
    const height = Math.max(canvas.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, PIXEL_RATIO[this.quality]));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // The gauges cover the left edge, so the middle of the picture is right of the middle of the window.
    if (width > 700) this.camera.setViewOffset(width, height, -0.5 * GAUGES, 0, width, height);
    else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
  }
}
