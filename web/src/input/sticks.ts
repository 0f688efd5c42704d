// Two sticks on the screen, for fingers.

import { element } from "../dom";
import type { Assignment, Lever } from "./schemes";

const RADIUS = 56; // way of the knob, pixels

type Side = "left" | "right";

class Stick {
  readonly root: HTMLElement;
  private readonly knob: HTMLElement;
  private readonly words: Record<"up" | "down" | "left" | "right", HTMLElement>;
  private finger: number | null = null;

  constructor(parent: HTMLElement, side: Side, private readonly moved: (x: number, y: number) => void) {
    this.root = element("div", `stick ${side}`, parent);
    this.root.setAttribute("role", "application");
    this.root.setAttribute("aria-label", `${side} stick`);
    const ring = element("div", "ring", this.root);
    this.knob = element("div", "knob", ring);
    this.words = {
      up: element("span", "word up", this.root),
      down: element("span", "word down", this.root),
      left: element("span", "word left", this.root),
      right: element("span", "word right", this.root),
    };
    this.root.onpointerdown = (event) => {
      if (this.finger !== null) return;
      this.finger = event.pointerId;
      this.root.setPointerCapture(event.pointerId);
      this.follow(event);
    };
    this.root.onpointermove = (event) => event.pointerId === this.finger && this.follow(event);
    this.root.onpointerup = this.root.onpointercancel = this.root.onlostpointercapture = (event) => {
      if (event.pointerId === this.finger) this.release();
    };
  }

  label(up: string, down: string, left: string, right: string): void {
    Object.assign(this.words.up, { textContent: up });
    Object.assign(this.words.down, { textContent: down });
    Object.assign(this.words.left, { textContent: left });
    Object.assign(this.words.right, { textContent: right });
    this.root.hidden = up + down + left + right === "";
  }

  private follow(event: PointerEvent): void {
    event.preventDefault();
    const box = this.root.getBoundingClientRect();
    const [x, y] = stickAt(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2, RADIUS);
    this.knob.style.transform = `translate(${x * RADIUS}px, ${-y * RADIUS}px)`;
    this.moved(x, y);
  }

  private release(): void {
    this.finger = null;
    this.knob.style.transform = "";
    this.moved(0, 0);
  }
}

/** Pixels from the middle (right, down) as a stick's x and y (right, away from the hand), at most 1 long, with rest in the middle. */
export function stickAt(right: number, down: number, radius: number): [number, number] {
  const x = right / radius, y = -down / radius;
  const size = Math.hypot(x, y);
  const dead = 0.08;
  if (size <= dead) return [0, 0];
  const scale = Math.min((size - dead) / (1 - dead), 1) / size;
  // A finger that means straight ahead is rarely quite straight.
  const straight = (a: number): number => (Math.abs(a) < 0.12 ? 0 : a);
  return [straight(x * scale), straight(y * scale)];
}

export class Sticks {
  private readonly left: Stick;
  private readonly right: Stick;

  constructor(private readonly root: HTMLElement, touch: (values: Partial<Record<Lever, number>>) => void) {
    this.left = new Stick(root, "left", (x, y) => touch({ leftX: x, leftY: y }));
    this.right = new Stick(root, "right", (x, y) => touch({ rightX: x, rightY: y }));
    root.hidden = true;
  }

  build(assignments: Assignment[]): void {
    const words = (lever: Lever, way: 1 | -1): string => {
      const found = assignments.find((one) => one.touch === lever);
      if (found === undefined) return "";
      return directionWord(found.control.role, (way * found.sign) as 1 | -1);
    };
    this.left.label(words("leftY", 1), words("leftY", -1), words("leftX", -1), words("leftX", 1));
    this.right.label(words("rightY", 1), words("rightY", -1), words("rightX", -1), words("rightX", 1));
  }

  show(visible: boolean): void {
    this.root.hidden = !visible;
    document.documentElement.dataset["sticks"] = String(visible);
  }
}

const DIRECTIONS: Record<string, [plus: string, minus: string]> = {
  throttle: ["forward", "back"],
  steer: ["left", "right"],
  lift: ["raise", "lower"],
  tilt: ["curl", "dump"],
  boom: ["boom up", "boom down"],
  stick: ["stick in", "stick out"],
  swing: ["swing left", "swing right"],
  bucket: ["curl", "dump"],
  blade_lift: ["raise", "lower"],
  blade_tilt: ["tilt right", "tilt left"],
  blade_angle: ["angle left", "angle right"],
  tip: ["tip", "lower"],
};

export function directionWord(role: string, way: 1 | -1): string {
  const words = DIRECTIONS[role];
  return words !== undefined ? words[way > 0 ? 0 : 1] : `${role.replace(/_/g, " ")} ${way > 0 ? "+" : "−"}`;
}
