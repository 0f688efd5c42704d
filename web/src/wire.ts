// Reading what the server sends. src/windrow/view/packing.py and description.py say what the bytes mean.

export type Vec3 = [number, number, number];
/** First number and count in the block of geometry. */
export type Span = [number, number];

/** What a piece was before it became triangles; the page draws some kinds in a way of their own. */
export interface PieceShape {
  kind: string;
  /** m */
  radius?: number;
  /** m */
  height?: number;
  /** In the body's frame: position, m, and quaternion x y z w. */
  pose?: number[];
}

export interface MeshPart {
  /** Rows among the bodies of a frame that have this shape; −1: it stands in the world. */
  bodies: number[];
  look: "solid" | "glass" | "ground";
  color: Vec3;
  /** Among the materials of the scene; −1: none of them. */
  material: number;
  shape?: PieceShape | null;
  corners: Span;
  normals: Span;
  edges: Span;
}

/** Balls that move with a body: n × 4 numbers, centre in the body's frame and radius, m. */
export interface BallPart {
  body: number;
  color: Vec3;
  material: number;
  rows: Span;
}

/** Shoes around a track; see render/shoes.py. */
export interface BeltPart {
  /** Rows among the bodies of a frame: what the belt runs around, and what draws it. */
  frame: number;
  sprocket: number;
  /** Of the closed line of the grousers' tips, in the frame's own axes, m; forward on the ground. */
  corners: Vec3[];
  /** To the left. */
  across: Vec3;
  /** Rotation of the sprocket seen from the frame at the start, line by line. */
  start: [Vec3, Vec3, Vec3];
  /** m */
  width: number;
  shoes: number;
  /** Shoes that pass by in a turn of the sprocket. */
  teeth: number;
  color: Vec3;
  /** Of the plate, and with its grouser; between two plates; width of a grouser. Over the pitch. */
  thickness: [number, number, number, number];
}

/** Ground that can be dug, at the start; see view/ground.py. */
export interface GroundPart {
  /** m */
  position: Vec3;
  /** Edge of a cell, m. */
  cell: number;
  /** Cells along x and y. */
  shape: [number, number];
  /** Cells along the edge of a tile. */
  tile: number;
  /** Every which cell's height is told. */
  stride: number;
  /** Of the bottom, m above the position. */
  base: number;
  soils: { name: string; color: Vec3 }[];
  /** Heights that are told along x and y. */
  nodes: [number, number];
  heights: Span;
}

/** Cells of the ground that are no longer as they were at the start. */
export interface GroundTile {
  /** Number along x and y. */
  tile: [number, number];
  /** m above the ground's position */
  height: Float32Array;
  soil: Uint8Array;
}

export interface BodyFacts {
  name: string;
  moves: boolean;
  kind: "obstacle" | "body";
  /** Among the machines of the scene; −1: part of none. */
  machine: number;
}

export interface Zone {
  lower: Vec3;
  upper: Vec3;
}

export interface Machine {
  name: string;
  title: string;
  /** Where the operator's eye is and a point it looks at, in the frame of a body, m. */
  cabin: { body: number; eye: Vec3; look: Vec3 } | null;
  /** The box, in the frame of the body, that counts as full; rated volume, m³. */
  tool: (Zone & { body: number; rated: number }) | null;
  /** Body that a camera follows. */
  follow: number;
  /** Where a camera outside begins and what it looks at, m from that body, along the machine's heading at the start. */
  view?: { eye: Vec3; look: Vec3 } | null;
}

export interface Control {
  name: string;
  /** Name without what tells one machine's from another's: throttle, boom, … */
  role: string;
  text: string;
  low: number;
  high: number;
  machine: number;
}

export interface Parameter {
  path: string;
  group: string;
  label: string;
  description: string;
  unit: string;
  kind: "number" | "whole" | "switch" | "choice";
  value: number | boolean | string;
  low?: number | null;
  high?: number | null;
  step?: number | null;
  logarithmic?: boolean;
  choices?: string[];
  /** Whether the simulation is rebuilt when it changes. */
  restarts?: boolean;
}

export interface Task {
  title: string;
  text: string;
  unit: string;
  target: number;
  /** s */
  time_limit: number | null;
  from: Zone | null;
  to: Zone | null;
  surface?: SurfacePart | null;
}

/** A surface that is to be made of the ground; see scene/targets.py. */
export interface SurfacePart {
  /** x and y of the floor's middle, m. */
  middle: [number, number];
  /** Unit vector of its length. */
  along: [number, number];
  /** Half of its length and width, m. */
  half: [number, number];
  /** Of the floor in its middle, m. */
  height: number;
  /** Rise along its length and to the left of it, m per m. */
  fall: [number, number];
  /** Way that a side goes outwards per metre that it rises; 0: none. */
  batter: number;
  /** Where sides end, m. */
  level: number;
  /** m above or below that are good enough. */
  tolerance: number;
}

/** Ground beside a target surface. */
export interface Finish {
  /** Share of the area within the tolerance. */
  within: number;
  /** Mean height of the floor above the target, m. */
  depth_error: number;
  /** Root of the mean square, m. */
  scatter: number;
  /** m per m */
  slope_error: number;
  /** m³ above the target */
  left: number;
  /** m³ below it */
  over_dig: number;
}

export interface SceneMessage {
  type: "scene";
  mode: "live" | "replay";
  generation: number;
  title: string;
  description: string;
  gravity: Vec3;
  dt: number;
  solver: string;
  materials: { name: string; color: Vec3; soil?: string }[];
  scale: Vec3[];
  bodies: BodyFacts[];
  subject: [Vec3, Vec3];
  camera: { eye: Vec3; target: Vec3; field_of_view_deg: number };
  floors: { body: number; normal: Vec3; offset: number; material?: number }[];
  meshes: MeshPart[];
  balls: BallPart[];
  ground?: GroundPart | null;
  belts?: BeltPart[];
  links: [number, number][];
  quantities: Quantity[];
  columns: Record<string, ColumnFacts>;
  machines: Machine[];
  controls: Control[];
  task: Task | null;
}

/** What a solver says of one of its columns. */
export interface ColumnFacts {
  unit?: string;
  description?: string;
}

export interface StatusMessage {
  type: "status";
  busy: string;
  paused: boolean;
  time_scale: number;
  scene: string;
  operator: boolean;
  pages: number;
  saves?: { number: number; time: number }[];
  first?: number;
  last?: number;
  frames?: number;
}

export interface HelloMessage {
  type: "hello";
  protocol: number;
  page: number;
  mode: "live" | "replay";
  scenes: { name: string; title: string }[];
}

export interface NoticeMessage {
  type: "notice";
  text: string;
}

export interface ParametersMessage {
  type: "parameters";
  items: Parameter[];
}

export interface RefusalMessage {
  type: "refusal";
  path: string;
  value: unknown;
  reason: string;
}

export interface Cycle {
  /** s */
  start: number;
  end: number;
  seconds: number;
  amount: number;
  /** Of the rated volume. */
  fill: number;
  spilled: number;
}

export interface DebriefMessage {
  type: "debrief";
  title: string;
  scene: string;
  outcome: "reached" | "time" | "stopped";
  score: number;
  amount: number;
  target: number;
  unit: string;
  spilled?: number;
  /** s */
  time: number;
  cycles: Cycle[];
  finish?: Finish;
  fill_mean: number | null;
  cycle_mean: number | null;
  series: { time: number[]; [name: string]: (number | null)[] };
  parameters: Record<string, unknown>;
}

export type TextMessage =
  | HelloMessage
  | SceneMessage
  | StatusMessage
  | NoticeMessage
  | ParametersMessage
  | RefusalMessage
  | DebriefMessage;

export interface ToolNote {
  /** N, in the world */
  force: Vec3;
  parts?: Record<string, Vec3>;
  /** Of the rated volume. */
  fill?: number;
  /** m³ */
  volume?: number;
  rated?: number;
  /** kg */
  mass?: number;
}

export interface TaskNote {
  state: "ready" | "running" | "done";
  /** Of the target. */
  share: number;
  /** 0 to 100 */
  score: number;
  amount: number;
  target: number;
  unit: string;
  spilled?: number;
  cycles?: number;
  /** s since its start */
  time: number;
  finish?: Finish;
}

export interface Notes {
  step?: number;
  real_time_factor?: number;
  step_seconds?: number;
  /** Parts of a step, s. */
  seconds?: Record<string, number>;
  contacts?: number;
  asleep?: number;
  frozen?: number;
  /** Steps that were given up to keep pace. */
  late?: number;
  ledger?: Record<string, number>;
  controls?: Record<string, number>;
  /** Of the last control message that the motion in this frame obeys. */
  stamp?: number;
  tool?: ToolNote | null;
  oil?: OilNote | null;
  task?: TaskNote | null;
  /** Soil in beds, by the names of their tools. */
  beds?: Record<string, BedNote>;
}

/** The surface of the soil in a bed, in the frame of the body that carries it. */
export interface BedNote {
  /** Of the body, among those of a frame. */
  row: number;
  /** Corners along x and y, m. */
  lower: [number, number];
  upper: [number, number];
  /** Among the soils of the ground. */
  soil: number;
  /** mm, [along x][along y] */
  heights: number[][];
}

/** Hydraulics of all machines. */
export interface OilNote {
  /** Of cylinders, by joint, Pa; positive when they push. */
  pressure: Record<string, number>;
  /** Of pumps, by name, m³/s. */
  flow: Record<string, number>;
  /** Of engines, by name, 0 to 1. */
  load: Record<string, number>;
  /** Of tracks, by joint, −1 to 1. */
  slip: Record<string, number>;
}

export interface Roster {
  number: number;
  id: Uint32Array;
  /** m */
  radius: Float32Array;
  material: Uint16Array;
}

export interface Frame {
  sequence: number;
  generation: number;
  epoch: number;
  /** s */
  time: number;
  count: number;
  /** n × 3, m */
  position: Float32Array;
  quantity: Quantity;
  /** n, in the unit of the quantity */
  value: Float32Array;
  highest: number;
  /** b × 13: position, quaternion, force, torque */
  bodies: Float32Array;
  rosterNumber: number;
  /** Only when it is another one than before. */
  roster: Roster | null;
  notes: Notes;
  /** Tiles of the ground that have changed since the frame before. */
  tiles: GroundTile[];
}

/** One of QUANTITIES, or a column that the solver records of each grain. */
export type Quantity = string;
export const QUANTITIES: readonly Quantity[] = ["speed", "force", "moisture"];

/** Names by the number in a frame's header. */
export function quantitiesOf(columns: Record<string, ColumnFacts>): Quantity[] {
  return [...QUANTITIES, ...Object.keys(columns).filter((name) => !QUANTITIES.includes(name))];
}

export const BODY_FLOATS = 13;
const FRAME_MAGIC = 0x31465257; // "WRF1"
const GEOMETRY_MAGIC = 0x314d5257; // "WRM1"
const HEADER_BYTES = 80;
const HAS_ROSTER = 1;
const HAS_GROUND = 2;
const TILE = 32;
/** Of a tile: its number, lowest height and range, heights and soils. */
const TILE_BYTES = 12 + 3 * TILE * TILE;
const TOP = 65535;

export class WireError extends Error {}

export function kindOf(buffer: ArrayBuffer): "frame" | "geometry" {
  const magic = buffer.byteLength >= 4 ? new DataView(buffer).getUint32(0, true) : 0;
  if (magic === FRAME_MAGIC) return "frame";
  if (magic === GEOMETRY_MAGIC) return "geometry";
  throw new WireError(`unknown message, magic ${magic.toString(16)}`);
}

export function decodeFrame(buffer: ArrayBuffer, quantities: readonly Quantity[] = QUANTITIES): Frame {
  if (kindOf(buffer) !== "frame" || buffer.byteLength < HEADER_BYTES) throw new WireError("not a whole frame");
  const head = new DataView(buffer);
  const flags = head.getUint32(24, true);
  const count = head.getUint32(28, true);
  const bodyCount = head.getUint32(32, true);
  const noteBytes = head.getUint32(36, true);
  const withRoster = (flags & HAS_ROSTER) !== 0;
  const whole = HEADER_BYTES + bodyCount * BODY_FLOATS * 4 + count * (withRoster ? 16 : 8) + noteBytes;
  const withGround = (flags & HAS_GROUND) !== 0;
  if (withGround && buffer.byteLength < whole + 4) throw new WireError("frame without its ground");
  const tileCount = withGround ? head.getUint32(whole, true) : 0;
  const needed = whole + (withGround ? 4 + tileCount * TILE_BYTES : 0);
  if (needed !== buffer.byteLength) throw new WireError(`frame of ${buffer.byteLength} bytes, ${needed} expected`);

  const lower = [head.getFloat32(40, true), head.getFloat32(44, true), head.getFloat32(48, true)] as const;
  const size = [head.getFloat32(52, true), head.getFloat32(56, true), head.getFloat32(60, true)] as const;
  const highest = head.getFloat32(64, true);
  const largestRadius = head.getFloat32(72, true);
  const rosterNumber = head.getUint32(76, true);

  let at = HEADER_BYTES;
  const bodies = new Float32Array(buffer.slice(at, at + bodyCount * BODY_FLOATS * 4));
  at += bodyCount * BODY_FLOATS * 4;
  const rows = new Uint16Array(buffer, at, count * 4);
  at += count * 8;
  const position = new Float32Array(count * 3);
  const value = new Float32Array(count);
  const [sx, sy, sz] = [size[0] / TOP, size[1] / TOP, size[2] / TOP];
  const [x, y, z] = lower;
  const scale = highest / TOP;
  for (let i = 0; i < count; i++) {
    position[3 * i] = x + rows[4 * i]! * sx;
    position[3 * i + 1] = y + rows[4 * i + 1]! * sy;
    position[3 * i + 2] = z + rows[4 * i + 2]! * sz;
    value[i] = rows[4 * i + 3]! * scale;
  }

  let roster: Roster | null = null;
  if (withRoster) {
    const id = new Uint32Array(buffer.slice(at, at + 4 * count));
    at += 4 * count;
    const shares = new Uint16Array(buffer, at, count);
    at += 2 * count;
    const material = new Uint16Array(buffer.slice(at, at + 2 * count));
    at += 2 * count;
    const radius = new Float32Array(count);
    for (let i = 0; i < count; i++) radius[i] = (shares[i]! / TOP) * largestRadius;
    roster = { number: rosterNumber, id, radius, material };
  }
  const notes = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, at, noteBytes))) as Notes;

  return {
    sequence: head.getUint32(4, true),
    generation: head.getUint32(8, true),
    epoch: head.getUint32(12, true),
    time: head.getFloat64(16, true),
    count,
    position,
    quantity: quantities[head.getUint32(68, true)] ?? "speed",
    value,
    highest,
    bodies,
    rosterNumber,
    roster,
    notes,
    tiles: Array.from({ length: tileCount }, (_, k) => decodeTile(buffer, whole + 4 + k * TILE_BYTES)),
  };
}

function decodeTile(buffer: ArrayBuffer, at: number): GroundTile {
  const head = new DataView(buffer, at, TILE_BYTES);
  const low = head.getFloat32(4, true), scale = head.getFloat32(8, true) / TOP;
  const height = new Float32Array(TILE * TILE);
  for (let k = 0; k < height.length; k++) height[k] = low + scale * head.getUint16(12 + 2 * k, true);
  const soil = new Uint8Array(buffer.slice(at + 12 + 2 * TILE * TILE, at + TILE_BYTES));
  return { tile: [head.getUint16(0, true), head.getUint16(2, true)], height, soil };
}

/** The numbers that the parts of a scene's meshes point into, and the scene they belong to. */
export function decodeGeometry(buffer: ArrayBuffer): { generation: number; numbers: Float32Array } {
  if (kindOf(buffer) !== "geometry") throw new WireError("not a block of geometry");
  const head = new DataView(buffer);
  const count = head.getUint32(8, true);
  if (buffer.byteLength !== 16 + 4 * count) throw new WireError("geometry is not whole");
  return { generation: head.getUint32(4, true), numbers: new Float32Array(buffer, 16, count) };
}
