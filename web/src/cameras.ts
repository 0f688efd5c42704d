// Four ways to look: free orbit, from above, behind the machine, from its cabin.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Poses } from "./poses";
import { distance, middleOf } from "./solids";
import type { Machine, SceneMessage } from "./wire";

export const CAMERAS = ["orbit", "top", "chase", "cabin"] as const;
export type CameraName = (typeof CAMERAS)[number];

const CABIN_VIEW_DEG = 62;
const CHASE_VIEW_DEG = 45;
/** Seconds in which the chasing camera makes up for two thirds of a change of direction. */
const CHASE_LAG = 0.35;
/** Width over height of a picture for which distances are right; on a narrower one cameras stand further off. */
const LANDSCAPE = 1.3;
const TURN_PER_PIXEL = 0.005;
const UP = new THREE.Vector3(0, 0, 1);

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  /** Carries the camera; stands at the world's origin unless glasses are worn. */
  readonly rig = new THREE.Group();
  readonly controls: OrbitControls;
  way: CameraName = "orbit";
  private outside: CameraName = "orbit";
  /** What the picture is about, m, and how far around it matters. */
  readonly focus = new THREE.Vector3();
  span = 1;
  /** Width over height of what one sees of the picture. */
  room = LANDSCAPE;
  private described: SceneMessage | null = null;
  private machine: Machine | null = null;
  private followed = -1;
  private readonly grains = new THREE.Vector3();
  private anchor: THREE.Vector3 | null = null;
  private seated = false;
  private heading: number | null = null;
  private readonly swing = { yaw: 0, pitch: 0, zoom: 1 };
  private readonly place = new THREE.Vector3();
  private readonly turn = new THREE.Quaternion();
  private readonly ahead = new THREE.Vector3();

  constructor(private readonly canvas: HTMLCanvasElement, private readonly poses: Poses) {
    this.camera.up.copy(UP);
    this.rig.add(this.camera);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.listen();
  }

  /** Whether a scene has what a way of looking needs. */
  offers(way: CameraName): boolean {
    if (way === "cabin") return this.described?.machines.some((machine) => machine.cabin !== null) ?? false;
    return true;
  }

  build(scene: SceneMessage): void {
    const keep = this.described !== null && this.described.title === scene.title;
    this.described = scene;
    this.machine = scene.machines.find((machine) => machine.cabin !== null) ?? scene.machines[0] ?? null;
    this.followed = this.machine?.follow ?? scene.bodies.findIndex((body) => body.moves && body.kind === "obstacle");
    this.grains.copy(middleOf(scene.subject));
    this.span = distance(scene.subject);
    this.anchor = this.heading = null;
    const first = this.machine !== null && !this.machine.view ? "chase" : "orbit";
    if (!keep || !this.offers(this.way)) this.look(keep ? "orbit" : first);
  }

  /** From the cabin to the camera outside that was last used, and back. */
  get other(): CameraName {
    return this.way === "cabin" ? this.outside : "cabin";
  }

  /** Goes to a camera's own place. */
  look(way: CameraName): void {
    const scene = this.described;
    if (scene !== null && !this.offers(way)) way = "orbit";
    this.way = way;
    if (way !== "cabin") this.outside = way;
    this.anchor = this.heading = null;
    Object.assign(this.swing, { yaw: 0, pitch: 0, zoom: 1 });
    if (scene === null) return;
    const reach = distance(scene.subject);
    this.camera.up.copy(UP);
    this.camera.near = way === "cabin" ? 0.05 : Math.max(0.004 * Math.min(reach, 25), 1e-3);
    this.camera.far = 80 * reach;
    this.camera.fov = way === "cabin" ? CABIN_VIEW_DEG : way === "chase" && this.machine ? CHASE_VIEW_DEG : scene.camera.field_of_view_deg;
    this.camera.updateProjectionMatrix();
    this.controls.enabled = !this.steersItself;
    const middle = middleOf(scene.subject);
    const further = Math.max(1, LANDSCAPE / this.room);
    if (way === "top") {
      this.controls.target.copy(middle);
      this.camera.position.set(middle.x, middle.y - 1e-3 * reach, middle.z + 1.7 * reach * further);
    } else if (!this.steersItself) {
      this.controls.target.fromArray(scene.camera.target);
      this.camera.position.fromArray(scene.camera.eye);
      const view = this.machine?.view;
      if (view) {
        this.camera.position.set(...view.eye);
        this.controls.target.set(...view.look);
      } else if (this.machine !== null) {
        // Nearer than the whole scene needs, as it stays with the machine.
        const away = this.camera.position.clone().sub(this.controls.target);
        this.camera.position.copy(this.controls.target).add(away.setLength(Math.min(away.length(), 17)));
      }
      this.camera.position.sub(this.controls.target).multiplyScalar(further).add(this.controls.target);
    }
    if (!this.steersItself) this.controls.update();
  }

  /** Where the grains are on average: followed when nothing else moves. */
  watch(middle: THREE.Vector3): void {
    this.grains.copy(middle);
  }

  /** Takes its place for the next picture; `seconds` since the last one. */
  update(share: number, seconds: number): void {
    if (this.described === null) return;
    if (this.way === "cabin") this.sit(share);
    else if (this.way === "chase" && this.machine !== null) this.chase(share, seconds);
    else {
      if (this.way === "chase" || this.machine !== null) this.moveAlong(share);
      this.controls.update();
      this.focus.copy(this.controls.target);
    }
  }

  /** For glasses: the rig goes to the cabin, or else to where the picture was seen from, and the head moves within. */
  seat(share: number): void {
    const cabin = this.machine?.cabin;
    if (cabin) this.inCabin(cabin, share);
    else if (!this.seated) {
      this.place.copy(this.camera.position);
      this.ahead.copy(this.controls.target);
    }
    this.ahead.z = this.place.z; // level, or turning the head would tilt the horizon
    if (!this.seated) this.camera.near = 0.05;
    this.seated = true;
    this.rig.position.copy(this.place);
    this.rig.matrix.lookAt(this.place, this.ahead, UP);
    this.rig.quaternion.setFromRotationMatrix(this.rig.matrix);
    this.camera.position.set(0, 0, 0);
    this.camera.quaternion.identity();
    this.focus.copy(cabin ? this.place : this.controls.target);
  }

  unseat(): void {
    this.seated = false;
    this.rig.position.set(0, 0, 0);
    this.rig.quaternion.identity();
    this.look(this.way);
  }

  private get steersItself(): boolean {
    return this.way === "cabin" || (this.way === "chase" && this.machine !== null);
  }

  private inCabin(cabin: NonNullable<Machine["cabin"]>, share: number): void {
    this.poses.position(cabin.body, share, this.place);
    this.poses.orientation(cabin.body, share, this.turn);
    const origin = this.place.clone();
    this.place.set(...cabin.eye).applyQuaternion(this.turn).add(origin);
    this.ahead.set(...cabin.look).applyQuaternion(this.turn).add(origin);
  }

  private sit(share: number): void {
    const cabin = this.machine?.cabin;
    if (!cabin) return;
    this.inCabin(cabin, share);
    this.camera.position.copy(this.place);
    this.camera.up.copy(UP).applyQuaternion(this.turn);
    this.camera.lookAt(this.ahead);
    this.camera.rotateOnWorldAxis(this.camera.up, this.swing.yaw);
    this.camera.rotateX(this.swing.pitch);
    this.focus.copy(this.place);
  }

  private chase(share: number, seconds: number): void {
    this.poses.position(this.followed, share, this.place);
    this.poses.orientation(this.followed, share, this.turn);
    this.ahead.set(1, 0, 0).applyQuaternion(this.turn);
    const wanted = Math.atan2(this.ahead.y, this.ahead.x);
    this.heading = this.heading === null ? wanted : this.heading + shortWay(wanted - this.heading) * (1 - Math.exp(-seconds / CHASE_LAG));
    const angle = this.heading + Math.PI + this.swing.yaw;
    const lift = Math.min(Math.max(0.48 + this.swing.pitch, -0.05), 1.5);
    const away = 10.5 * this.swing.zoom * Math.max(1, 1.2 / this.camera.aspect);
    this.focus.copy(this.place);
    this.camera.up.copy(UP);
    this.camera.position.set(
      this.place.x + away * Math.cos(lift) * Math.cos(angle),
      this.place.y + away * Math.cos(lift) * Math.sin(angle),
      Math.max(this.place.z + away * Math.sin(lift), 0.3),
    );
    // A little ahead of the machine, where its tool works.
    this.camera.lookAt(this.place.x + 2.2 * Math.cos(this.heading), this.place.y + 2.2 * Math.sin(this.heading), this.place.z + 0.2);
  }

  /** Moves camera and target along with what is followed. */
  private moveAlong(share: number): void {
    this.place.copy(this.grains);
    this.poses.position(this.followed, share, this.place);
    if (this.anchor === null) {
      if (this.way === "orbit" && this.machine?.view) {
        // The machine's own view is told from its body, along its heading.
        this.poses.orientation(this.followed, share, this.turn);
        this.ahead.set(1, 0, 0).applyQuaternion(this.turn);
        const heading = Math.atan2(this.ahead.y, this.ahead.x);
        for (const point of [this.camera.position, this.controls.target]) point.applyAxisAngle(UP, heading).add(this.place);
      } else {
        this.camera.position.add(this.place).sub(this.controls.target);
        this.controls.target.copy(this.place);
      }
      this.anchor = this.place.clone();
      return;
    }
    const moved = this.place.clone().sub(this.anchor);
    this.camera.position.add(moved);
    this.controls.target.add(moved);
    this.anchor.copy(this.place);
  }

  /** Dragging looks around, the wheel goes nearer, where the orbit controls do not do it. */
  private listen(): void {
    const fingers = new Map<number, { x: number; y: number }>();
    this.canvas.addEventListener("pointerdown", (event) => fingers.set(event.pointerId, { x: event.clientX, y: event.clientY }));
    for (const name of ["pointerup", "pointercancel", "pointerleave"] as const) {
      this.canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
    }
    this.canvas.addEventListener("pointermove", (event) => {
      const finger = fingers.get(event.pointerId);
      if (finger === undefined || !this.steersItself) return;
      const way = this.way === "cabin" ? 1 : -1;
      this.swing.yaw += way * (event.clientX - finger.x) * TURN_PER_PIXEL;
      this.swing.pitch = Math.min(Math.max(this.swing.pitch + (event.clientY - finger.y) * TURN_PER_PIXEL, -1.2), 1.2);
      finger.x = event.clientX;
      finger.y = event.clientY;
    });
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        if (!this.steersItself) return;
        event.preventDefault();
        this.swing.zoom = Math.min(Math.max(this.swing.zoom * Math.exp(0.001 * event.deltaY), 0.4), 5);
      },
      { passive: false },
    );
  }
}

/** The same angle between −π and π. */
export function shortWay(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}
