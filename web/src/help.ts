// The help overlay and the keys it explains.

import { element } from "./dom";
import { keyName, type Assignment } from "./input/schemes";

const KEYS: [string, string][] = [
  ["space", "pause or go on"],
  [". and ,", "one step on; in a recording also one back"],
  ["R", "begin again"],
  ["K", "keep this moment"],
  ["− and +", "slower, faster"],
  ["1 2 3 4", "camera: orbit, top, chase, cabin"],
  ["V", "from the cabin outside, and back"],
  ["C", "next colouring"],
  ["T", "dark or light"],
  ["P", "numbers of scene and soil"],
  ["G", "game controllers"],
  ["H or ?", "this help"],
];

/** Keys that go on working while they are held. */
const REPEATED = [".", ",", "-", "+"];

const POINTERS: [string, string][] = [
  ["drag, one finger", "turn, or look around"],
  ["right drag, two fingers", "move"],
  ["wheel, pinch", "zoom"],
];

export function buildHelp(dialog: HTMLDialogElement, assignments: Assignment[]): void {
  dialog.replaceChildren();
  const head = element("div", "head", dialog);
  element("h2", "", head).textContent = "Windrow";
  const close = element("button", "", head);
  close.textContent = "close";
  close.onclick = () => dialog.close();
  element("p", "", dialog).textContent =
    "Lengths in metres, z up. The first page that opens steers; others watch, and may take control.";
  const columns = element("div", "columns", dialog);
  if (assignments.length > 0) {
    const machine = element("section", "", columns);
    element("h3", "", machine).textContent = "The machine";
    rows(machine, [
      ...assignments.map(({ control, keys }): [string, string] => [
        (keys ?? []).map(keyName).join(" "), control.text ? `${control.role.replace(/_/g, " ")}: ${control.text}` : control.role.replace(/_/g, " "),
      ]),
      ["shift", "gently, with any of these"],
    ]);
    element("p", "soft", machine).textContent = "Also with the sliders, the sticks on a touch screen, and game controllers.";
    around(machine);
  }
  const station = element("section", "", columns);
  element("h3", "", station).textContent = "The station";
  rows(station, KEYS);
  if (assignments.length === 0) around(element("section", "", columns));
  // Or keys would go on to the button that is no longer seen.
  dialog.onclose = () => document.getElementById("stage")?.focus();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
}

function around(section: HTMLElement): void {
  element("h3", "", section).textContent = "Looking around";
  rows(section, POINTERS);
}

function rows(dialog: HTMLElement, pairs: [string, string][]): void {
  const table = element("table", "keys", dialog);
  for (const [key, meaning] of pairs) {
    const row = table.insertRow();
    element("kbd", "", row.insertCell()).textContent = key;
    row.insertCell().textContent = meaning;
  }
}

/** `owned`: keys that the machine of the scene takes for itself. */
export function listenToKeys(actions: Record<string, () => void>, owned: (key: string) => boolean): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat && !REPEATED.includes(event.key)) return;
    const target = event.target as HTMLElement | null;
    // Fields and lists keep their keys; so does a button that has the focus.
    if (target?.closest("input, select, textarea, dialog[open]")) return;
    if (event.key === " " && target?.closest("button, summary")) return;
    const key = event.key.toLowerCase();
    const action = actions[key];
    if (action === undefined || owned(key)) return;
    event.preventDefault();
    action();
  });
}
