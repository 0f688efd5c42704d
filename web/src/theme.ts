// Dark and light.

export interface Theme {
  name: "dark" | "light";
  background: string;
  floor: string;
  grid: string;
  sky: string;
  ground: string;
  skyStrength: number;
  sunStrength: number;
}

const DARK: Theme = {
  name: "dark",
  background: "#1c2127",
  floor: "#434a51",
  grid: "#7b858f",
  sky: "#c9d6e6",
  ground: "#5b5148",
  skyStrength: 0.62,
  sunStrength: 1.0,
};

const LIGHT: Theme = {
  name: "light",
  background: "#e9edf0",
  floor: "#cfd2d1",
  grid: "#9aa0a4",
  sky: "#eaf2ff",
  ground: "#a3988a",
  skyStrength: 0.75,
  sunStrength: 1.0,
};

export function preferredTheme(): Theme {
  const kept = read("windrow.theme");
  if (kept === "dark" || kept === "light") return themeNamed(kept);
  return window.matchMedia("(prefers-color-scheme: light)").matches ? LIGHT : DARK;
}

export function themeNamed(name: "dark" | "light"): Theme {
  return name === "light" ? LIGHT : DARK;
}

export function apply(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme.name;
  try {
    window.localStorage.setItem("windrow.theme", theme.name);
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}

function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}
