// The page: what the server says goes to the stage and the gauges, what the user does goes to the server.

import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Bar } from "./bar";
import { CAMERAS, type CameraName } from "./cameras";
import { coloringsOf, Painter, type Coloring } from "./colors";
import { Connection, type Command, type LinkState } from "./connection";
import { Debrief } from "./debrief";
import { element, part } from "./dom";
import type { Fineness } from "./effort";
import { offerGlasses, padOf } from "./glasses";
import { buildHelp, listenToKeys } from "./help";
import { Hud } from "./hud";
import { Hints } from "./input/hints";
import { Operator } from "./input/operator";
import { PadPage } from "./input/padpage";
import { Sticks } from "./input/sticks";
import { Panel, type SticksShown } from "./panel";
import { Parameters } from "./parameters";
import { QUALITIES, Stage, type Quality } from "./stage";
import { keep, kept } from "./storage";
import { TaskPanel } from "./task";
import { apply, preferredTheme, themeNamed } from "./theme";
import { Glide } from "./timeline";
import { BODY_FLOATS, type DebriefMessage, type Frame, type Notes, type Parameter, type Quantity, type Roster, type SceneMessage, type TaskNote, type TextMessage } from "./wire";

declare global {
  interface Window {
    /** What is going on, for tests and the curious. */
    windrow: {
      received: number;
      drawn: number;
      state: LinkState;
      time: number;
      grains: number;
      paused: boolean;
      operator: boolean;
      generation: number;
      readonly bodies: number[][];
      names: string[];
      controls: Record<string, number>;
      applied: Record<string, number>;
      notes: Notes;
      latency_ms: number | null;
      camera: CameraName;
      scheme: string;
      parameters: Parameter[];
      task: TaskNote | null;
      debrief: DebriefMessage | null;
      gamepads: number;
      readonly eyes: number[][];
      readonly fineness: Fineness;
    };
  }
}

const NOTICE_SECONDS = 6;
const theme = preferredTheme();
apply(theme);

const stage = new Stage(part<HTMLCanvasElement>("stage"), theme, firstQuality());
const hud = new Hud(part("hud"));
const help = part<HTMLDialogElement>("help");
const notices = part("notices");
const glide = new Glide();
const facts: Window["windrow"] = {
  received: 0, drawn: 0, state: "connecting", time: 0, grains: 0, paused: false, operator: false, generation: 0,
  get bodies() {
    return bodyRows();
  },
  names: [], controls: {}, applied: {}, notes: {}, latency_ms: null, camera: "orbit", scheme: "iso", parameters: [],
  task: null, debrief: null, gamepads: 0,
  get eyes() {
    return stage.eyes;
  },
  get fineness() {
    return stage.fineness;
  },
};
window.windrow = facts;

let mode: "live" | "replay" = "live";
let described: SceneMessage | null = null;
let built = -1;
let painter: Painter | null = null;
let roster: Roster | null = null;
let last: Frame | null = null;
let painted: { tint: Uint8Array; roster: Roster; coloring: Coloring } | null = null;
let linkWords = "";
let busy = "";
let lastDraw = now();
let pictureTime = 16;
let drewLast = false;

const banner = element("div", "banner", document.body);
const connection = new Connection({ text: hear, geometry: build, frame: take, state: changeState });
const send = (command: Command): void => connection.send(command);
const operator = new Operator((values, stamp) => {
  facts.controls = values;
  send({ type: "control", values, stamp });
});
const bar = new Bar(part("bar"), { send, camera: chooseCamera, help: toggleHelp });
const panel = new Panel(
  part("view"),
  { coloring: "material", camera: "orbit", quality: firstQuality(), theme: theme.name, sticks: "auto", speed: 1 },
  {
    coloring: chooseColoring,
    camera: chooseCamera,
    quality: (value) => {
      keep("windrow.quality", value);
      stage.refine(value);
    },
    theme: chooseTheme,
    sticks: showSticks,
    speed: (value) => send({ type: "time_scale", value }),
  },
);
const parameters = new Parameters(part("parameters"), (path, value) => send({ type: "parameter", path, value }));
const padPage = new PadPage(part<HTMLDialogElement>("pads"), operator);
const hints = new Hints(part("hints"), operator, () => padPage.toggle());
const sticks = new Sticks(part("sticks"), (values) => operator.touch(values));
const task = new TaskPanel(part("task"), (action) => send({ type: "task", action }));
const debrief = new Debrief(part<HTMLDialogElement>("debrief"));

operator.onChange = () => {
  hints.rebuild();
  sticks.build(operator.assignments);
  facts.scheme = operator.scheme;
  facts.gamepads = operator.pads.length;
};

function hear(message: TextMessage): void {
  switch (message.type) {
    case "hello":
      mode = message.mode;
      built = -1; // a server that was started anew counts its scenes from the beginning
      roster = null;
      parameters.clear();
      bar.hello(message);
      askForColor();
      return;
    case "scene":
      described = message;
      return;
    case "status":
      facts.paused = message.paused;
      facts.operator = operator.steers = message.operator && mode === "live";
      bar.status(message);
      hud.status(message, mode);
      parameters.allow(message.operator);
      hints.allow(operator.steers);
      busy = message.busy;
      showBanner();
      panel.update({ speed: message.time_scale });
      return;
    case "parameters":
      facts.parameters = message.items;
      parameters.take(message.items);
      return;
    case "refusal":
      tell(`${message.path}: ${message.reason}`);
      parameters.take(parameters.items);
      return;
    case "debrief":
      facts.debrief = message;
      debrief.show(message);
      return;
    case "notice":
      tell(message.text);
  }
}

function build(generation: number, numbers: Float32Array): void {
  if (described === null || described.generation !== generation) return;
  built = facts.generation = generation;
  roster = last = painted = null;
  painter = new Painter(described);
  stage.build(described, numbers);
  hud.build(described);
  task.build(described);
  panel.offer(described.quantities);
  panel.update({ camera: stage.cameras.way });
  operator.build(mode === "live" ? described.controls : []);
  hints.build(mode === "live" ? described : null);
  showSticks(panel.settings.sticks);
  bar.camera(stage.cameras.way, (name) => stage.cameras.offers(name));
  facts.camera = stage.cameras.way;
  facts.names = described.bodies.map((body) => body.name);
  document.title = `${described.title || "scene"} · Windrow`;
}

function take(frame: Frame): void {
  facts.received++;
  if (frame.generation !== built) return;
  if (frame.roster !== null) roster = frame.roster;
  if (roster === null || roster.number !== frame.rosterNumber) return;
  const follows = glide.arrive(frame, now());
  stage.take(frame, roster, follows);
  if (last === null) banner.hidden = linkWords === "";
  last = frame;
  paint();
  operator.obeyed(frame.notes.stamp);
  hud.take(frame, operator.delay);
  hints.show(frame.notes.controls ?? {});
  if (frame.notes.task) task.take(frame.notes.task, described?.task?.time_limit ?? null);
  bar.moment(frame.time);
  report(frame);
}

function report(frame: Frame): void {
  facts.time = frame.time;
  facts.grains = frame.count;
  facts.notes = frame.notes;
  facts.applied = frame.notes.controls ?? {};
  facts.task = frame.notes.task ?? null;
  facts.latency_ms = operator.delay;
}

/** Position and quaternion of each body of the last frame; made only when somebody asks. */
function bodyRows(): number[][] {
  const bodies = last?.bodies ?? new Float32Array(0);
  return Array.from({ length: bodies.length / BODY_FLOATS }, (_, k) => [...bodies.subarray(k * BODY_FLOATS, k * BODY_FLOATS + 7)]);
}

function paint(): void {
  if (painter === null || last === null || roster === null || stage.grains.count === 0) return;
  const { coloring } = panel.settings;
  const tint = stage.grains.tint;
  // Colours by material and id change only with the grains themselves.
  const lasting = coloring === "material" || coloring === "id";
  const same = lasting && painted?.tint === tint && painted.roster === roster && painted.coloring === coloring;
  if (!same) hud.explain(painter.paint(coloring, last, roster, tint));
  painted = { tint, roster, coloring };
  stage.painted();
}

function chooseColoring(value: Coloring): void {
  panel.update({ coloring: value });
  askForColor();
  paint();
}

function askForColor(): void {
  const wanted = panel.settings.coloring;
  const offered = described?.quantities ?? ["speed", "force"];
  const quantity: Quantity = offered.includes(wanted) ? wanted : "speed";
  send({ type: "color", quantity });
}

function chooseTheme(name: "dark" | "light"): void {
  panel.update({ theme: name });
  apply(themeNamed(name));
  stage.recolor(themeNamed(name));
  hud.recolor();
}

function chooseCamera(name: CameraName): void {
  stage.look(name);
  if (stage.cameras.way !== name) tell("this scene has no cabin");
  facts.camera = stage.cameras.way;
  panel.update({ camera: stage.cameras.way });
  bar.camera(stage.cameras.way, (way) => stage.cameras.offers(way));
}

function showSticks(value: SticksShown): void {
  panel.update({ sticks: value });
  const fingers = window.matchMedia("(pointer: coarse)").matches;
  sticks.show(operator.assignments.length > 0 && (value === "on" || (value === "auto" && fingers)));
}

function changeState(state: LinkState, words: string): void {
  facts.state = state;
  if (state !== "open") facts.operator = operator.steers = false;
  hints.allow(operator.steers);
  linkWords = words;
  showBanner();
}

/** What one waits for: the server, or a scene that is being prepared. */
function showBanner(): void {
  const words = linkWords !== "" ? linkWords : last === null ? busy : "";
  banner.textContent = words;
  banner.hidden = words === "";
}

function tell(text: string): void {
  const notice = element("p", "", notices);
  notice.textContent = text;
  window.setTimeout(() => notice.remove(), 1000 * NOTICE_SECONDS);
}

function toggleHelp(): void {
  if (help.open) {
    help.close();
    return;
  }
  buildHelp(help, operator.assignments);
  help.showModal();
}

/** From the address (`?quality=high`), or as it was chosen last. */
function firstQuality(): Quality {
  const wanted = new URLSearchParams(window.location.search).get("quality") ?? kept("windrow.quality");
  return QUALITIES.find((one) => one === wanted) ?? "auto";
}

function nextColoring(): Coloring {
  const offered = coloringsOf(described?.quantities ?? ["speed", "force"]);
  return offered[(offered.indexOf(panel.settings.coloring) + 1) % offered.length]!;
}

function now(): number {
  return performance.now() / 1000;
}

function draw(): void {
  const time = now();
  const between = time - lastDraw;
  lastDraw = time;
  const drawn = stage.drawn;
  stage.draw(glide.share(time), between);
  // Over about half a second, however fast they come; of pictures that follow each other.
  if (drewLast && stage.drawn > drawn) pictureTime += Math.min(2 * between, 1) * (1000 * between - pictureTime);
  drewLast = stage.drawn > drawn;
  hud.refresh(pictureTime);
  facts.drawn = stage.drawn;
}

operator.listen();
listenToKeys(
  {
    " ": () => bar.toggle(),
    ".": () => send({ type: "step", count: 1 }),
    ",": () => send({ type: "step", count: -1 }),
    r: () => send({ type: "reset" }),
    k: () => send({ type: "save" }),
    "-": () => bar.shift(-1),
    "+": () => bar.shift(1),
    "=": () => bar.shift(1),
    ...Object.fromEntries(CAMERAS.map((name, k) => [String(k + 1), () => chooseCamera(name)])),
    c: () => chooseColoring(nextColoring()),
    v: () => chooseCamera(stage.cameras.other),
    t: () => chooseTheme(panel.settings.theme === "dark" ? "light" : "dark"),
    g: () => padPage.toggle(),
    p: () => parameters.toggle(),
    h: toggleHelp,
    "?": toggleHelp,
  },
  (key) => operator.owns(key),
);
operator.headset = () => padOf(stage.renderer.xr.getSession()?.inputSources ?? []);
void offerGlasses(stage.renderer, bar.glasses, () => stage.unseat(), tell);
connection.open();
// Also while a headset is worn, which has a rhythm of its own.
stage.renderer.setAnimationLoop(draw);
