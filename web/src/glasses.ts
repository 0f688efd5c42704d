// Virtual reality: a button where a headset is there, and its controllers as levers.

import type * as THREE from "three";
import type { Pad } from "./input/gamepad";

/** Shows the button if the browser can show a scene in a headset; `complain` says why it cannot after all. */
export async function offerGlasses(
  renderer: THREE.WebGLRenderer, button: HTMLButtonElement, left: () => void, complain: (why: string) => void,
): Promise<void> {
  button.hidden = true;
  const xr = navigator.xr;
  if (xr === undefined || !(await xr.isSessionSupported("immersive-vr").catch(() => false))) return;
  renderer.xr.enabled = true;
  // Seated: the head starts at the origin, which is the place of the eye in the cabin.
  renderer.xr.setReferenceSpaceType("local");
  button.hidden = false;
  button.setAttribute("aria-pressed", "false");
  let session: XRSession | null = null;
  const enter = async (): Promise<void> => {
    session = await xr.requestSession("immersive-vr");
    session.addEventListener("end", () => {
      session = null;
      button.setAttribute("aria-pressed", "false");
      left();
    });
    await renderer.xr.setSession(session);
    button.setAttribute("aria-pressed", "true");
  };
  button.onclick = () => {
    if (session !== null) void session.end();
    else enter().catch((error: Error) => complain(`no virtual reality: ${error.message}`));
  };
}

/** The two controllers of a headset as one pad with two sticks; browsers do not list them with the others. */
export function padOf(sources: Iterable<{ handedness: string; gamepad?: Pick<Gamepad, "axes" | "buttons"> | undefined }>): Pad | null {
  const pad = { index: 90, id: "headset", connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ value: 0 })) };
  let found = false;
  for (const { handedness, gamepad } of sources) {
    if (!gamepad || (handedness !== "left" && handedness !== "right")) continue;
    found = true;
    const right = handedness === "right";
    const first = gamepad.axes.length >= 4 ? 2 : 0; // the first two belong to a touch pad
    pad.axes[right ? 2 : 0] = gamepad.axes[first] ?? 0;
    pad.axes[right ? 3 : 1] = gamepad.axes[first + 1] ?? 0;
    pad.buttons[right ? 7 : 6]!.value = gamepad.buttons[0]?.value ?? 0;
    pad.buttons[right ? 5 : 4]!.value = gamepad.buttons[1]?.value ?? 0;
    if (right) pad.buttons[1]!.value = gamepad.buttons[5]?.value ?? 0;
  }
  return found ? pad : null;
}
