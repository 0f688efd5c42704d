// The page: what the server says goes to the stage and the gauges, what the user does goes to the server.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Bar } from "./bar";
import { COLORINGS, Painter, type Coloring } from "./colors";
import { Connection, type Command, type LinkState } from "./connection";
import { buildHelp, listenToKeys } from "./help";
import { element, Hud } from "./hud";
import { Panel } from "./panel";
import { Stage, type CameraName } from "./stage";
import { apply, preferredTheme, themeNamed } from "./theme";
import { Glide } from "./timeline";
import type { Frame, Roster, SceneMessage, TextMessage } from "./wire";

declare global {
  interface Window {
    /** What is going on, for tests and the curious. */
    windrow: { received: number; drawn: number; state: LinkState; time: number; grains: number; paused: boolean };
  }
}

const NOTICE_SECONDS = 6;
const theme = preferredTheme();
apply(theme);

const stage = new Stage(part<HTMLCanvasElement>("stage"), theme);
const hud = new Hud(part("hud"));
const help = part<HTMLDialogElement>("help");
const notices = part("notices");
const banner = element("div", "banner", document.body);
const glide = new Glide();
window.windrow = { received: 0, drawn: 0, state: "connecting", time: 0, grains: 0, paused: false };

let mode: "live" | "replay" = "live";
let described: SceneMessage | null = null;
let built = -1;
let painter: Painter | null = null;
let roster: Roster | null = null;
let last: Frame | null = null;

const connection = new Connection({ text: hear, geometry: build, frame: take, state: changeState });
const send = (command: Command): void => connection.send(command);
const bar = new Bar(part("bar"), { send, help: toggleHelp });
const panel = new Panel(
  part("settings"),
  { coloring: "material", camera: "orbit", quality: "medium", theme: theme.name, speed: 1 },
  {
    coloring: chooseColoring,
    camera: (value) => stage.look(value),
    quality: (value) => stage.refine(value),
    theme: chooseTheme,
    speed: (value) => send({ type: "time_scale", value }),
  },
);

function hear(message: TextMessage): void {
  if (message.type === "hello") {
    mode = message.mode;
    built = -1; // a server that was started anew counts its scenes from the beginning
    roster = null;
    bar.hello(message);
    askForColor();
  } else if (message.type === "scene") {
    described = message;
  } else if (message.type === "status") {
    window.windrow.paused = message.paused;
    bar.status(message);
    hud.status(message, mode);
    panel.update({ speed: message.time_scale });
  } else {
    tell(message.text);
  }
}

function build(generation: number, numbers: Float32Array): void {
  if (described === null || described.generation !== generation) return;
  built = generation;
  roster = null;
  painter = new Painter(described);
  stage.build(described, numbers);
  hud.build(described);
  document.title = `${described.title || "scene"} · Windrow`;
}

function take(frame: Frame): void {
  window.windrow.received++;
  if (frame.generation !== built) return;
  if (frame.roster !== null) roster = frame.roster;
  if (roster === null || roster.number !== frame.rosterNumber) return;
  const follows = glide.arrive(frame, now());
  stage.take(frame, roster, follows);
  last = frame;
  paint();
  hud.take(frame);
  bar.moment(frame.time);
  window.windrow.time = frame.time;
  window.windrow.grains = frame.count;
}

function paint(): void {
  if (painter === null || last === null || roster === null || stage.grains.count === 0) return;
  const legend = painter.paint(panel.settings.coloring, last, roster, stage.grains.tint);
  stage.grains.painted();
  hud.explain(legend);
}

function chooseColoring(value: Coloring): void {
  panel.update({ coloring: value });
  askForColor();
  paint();
}

function askForColor(): void {
  send({ type: "color", quantity: panel.settings.coloring === "force" ? "force" : "speed" });
}

function chooseTheme(name: "dark" | "light"): void {
  panel.update({ theme: name });
  apply(themeNamed(name));
  stage.recolor(themeNamed(name));
  hud.recolor();
}

function chooseCamera(name: CameraName): void {
  panel.update({ camera: name });
  stage.look(name);
}

function changeState(state: LinkState, words: string): void {
  window.windrow.state = state;
  banner.textContent = words;
  banner.hidden = words === "";
}

function tell(text: string): void {
  const notice = element("p", "", notices);
  notice.textContent = text;
  window.setTimeout(() => notice.remove(), 1000 * NOTICE_SECONDS);
}

function toggleHelp(): void {
  if (help.open) help.close();
  else help.showModal();
}

function now(): number {
  return performance.now() / 1000;
}

function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

function draw(): void {
  stage.draw(glide.share(now()));
  hud.refresh();
  window.windrow.drawn = stage.drawn;
  window.requestAnimationFrame(draw);
}

buildHelp(help);
listenToKeys({
  " ": () => bar.toggle(),
  ".": () => send({ type: "step", count: 1 }),
  ",": () => send({ type: "step", count: -1 }),
  r: () => send({ type: "reset" }),
  s: () => send({ type: "save" }),
  "-": () => bar.shift(-1),
  "+": () => bar.shift(1),
  "=": () => bar.shift(1),
  "1": () => chooseCamera("orbit"),
  "2": () => chooseCamera("top"),
  "3": () => chooseCamera("follow"),
  c: () => chooseColoring(COLORINGS[(COLORINGS.indexOf(panel.settings.coloring) + 1) % COLORINGS.length]!),
  t: () => chooseTheme(panel.settings.theme === "dark" ? "light" : "dark"),
  h: toggleHelp,
  "?": toggleHelp,
});
connection.open();
draw();
