// Dark and light.

import { keep, kept } from "./storage";

export interface Theme {
  name: "dark" | "light";
  /** At the horizon. */
  background: string;
  zenith: string;
  floor: string;
  /** Of a soil's own colour, on the ground. */
  soilStrength: number;
  grid: string;
  sky: string;
  ground: string;
  skyStrength: number;
  sunStrength: number;
}

const DARK: Theme = {
  name: "dark",
  background: "#1c2127",
  zenith: "#0d1014",
  floor: "#434a51",
  soilStrength: 0.22,
  grid: "#7b858f",
  sky: "#c9d6e6",
  ground: "#5b5148",
  skyStrength: 0.62,
  sunStrength: 1.0,
};

const LIGHT: Theme = {
  name: "light",
  background: "#e9edf0",
  zenith: "#a9c4dc",
  floor: "#cfd2d1",
  soilStrength: 0.8,
  grid: "#9aa0a4",
  sky: "#eaf2ff",
  ground: "#a3988a",
  skyStrength: 0.75,
  sunStrength: 1.0,
};

export function preferredTheme(): Theme {
  const last = kept("windrow.theme");
  if (last === "dark" || last === "light") return themeNamed(last);
  return window.matchMedia("(prefers-color-scheme: light)").matches ? LIGHT : DARK;
}

export function themeNamed(name: "dark" | "light"): Theme {
  return name === "light" ? LIGHT : DARK;
}

export function apply(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme.name;
  keep("windrow.theme", theme.name);
}
