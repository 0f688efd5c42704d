// The help overlay and the keys it explains.

const KEYS: [string, string][] = [
  ["space", "pause or go on"],
  [". and ,", "one step on; in a recording also one back"],
  ["R", "begin again"],
  ["− and +", "slower, faster"],
  ["S", "keep this moment"],
  ["1, 2, 3", "camera: orbit, top, follow"],
  ["C", "next colouring"],
  ["T", "dark or light"],
  ["H or ?", "this help"],
];

const POINTERS: [string, string][] = [
  ["drag, one finger", "turn"],
  ["right drag, two fingers", "move"],
  ["wheel, pinch", "zoom"],
];

export function buildHelp(dialog: HTMLDialogElement): void {
  const table = document.createElement("table");
  for (const [key, meaning] of [...KEYS, ...POINTERS]) {
    const row = table.insertRow();
    const cell = row.insertCell();
    const mark = document.createElement("kbd");
    mark.textContent = key;
    cell.append(mark);
    row.insertCell().textContent = meaning;
  }
  const title = document.createElement("h2");
  title.textContent = "Windrow";
  const words = document.createElement("p");
  words.textContent =
    "Lengths in metres, z up. The first page that opens steers; others watch, and may take control.";
  const close = document.createElement("button");
  close.textContent = "close";
  close.onclick = () => dialog.close();
  dialog.replaceChildren(title, words, table, close);
  // Or keys would go on to the button that is no longer seen.
  dialog.onclose = () => document.getElementById("stage")?.focus();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
}

export function listenToKeys(actions: Record<string, () => void>): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement | null;
    // Fields and lists keep their keys; so does a button that has the focus.
    if (target?.closest("input, select, textarea, dialog[open]")) return;
    if (event.key === " " && target?.closest("button")) return;
    const action = actions[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}
