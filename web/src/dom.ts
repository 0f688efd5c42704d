// Small helpers for elements.

export function element<T extends keyof HTMLElementTagNameMap>(tag: T, className: string, parent: HTMLElement): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  parent.append(made);
  return made;
}

/** An element of the page that must be there. */
export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Three figures at most, with a minus sign that has the width of a digit. */
export function short(value: number): string {
  const size = Math.abs(value);
  let text: string;
  if (size === 0) text = "0";
  else if (size >= 1e6) text = `${(size / 1e6).toPrecision(3)} M`;
  else if (size >= 1e4) text = `${(size / 1e3).toPrecision(3)} k`;
  else if (size >= 100) text = size.toFixed(0);
  else if (size >= 0.01) text = String(Number(size.toPrecision(3)));
  else text = size < 1e-6 ? "0" : size.toExponential(1);
  return value < 0 && text !== "0" ? `−${text}` : text;
}

/** With its unit: thousands of newtons are kN, thousands of kilograms are t. */
export function measured(value: number, unit: string): string {
  if (unit === "kg" && Math.abs(value) >= 1e4) return `${short(value / 1000)} t`;
  const text = short(value);
  return / [kM]$/.test(text) ? `${text}${unit}` : `${text} ${unit}`;
}

/** Hands a file to the browser. */
export function download(name: string, kind: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
