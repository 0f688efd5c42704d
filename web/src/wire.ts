// Reading what the server sends. src/windrow/view/packing.py and description.py say what the bytes mean.

export type Vec3 = [number, number, number];

export interface MeshPart {
  body: number;
  look: "solid" | "glass";
  color: Vec3;
  /** First number and count in the block of geometry. */
  corners: [number, number];
  normals: [number, number];
  edges: [number, number];
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
  materials: { name: string; color: Vec3 }[];
  scale: Vec3[];
  bodies: { name: string; moves: boolean }[];
  subject: [Vec3, Vec3];
  camera: { eye: Vec3; target: Vec3; field_of_view_deg: number };
  floors: { body: number; normal: Vec3; offset: number }[];
  meshes: MeshPart[];
  links: [number, number][];
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

export type TextMessage = HelloMessage | SceneMessage | StatusMessage | NoticeMessage;

export interface Notes {
  step?: number;
  real_time_factor?: number;
  step_seconds?: number;
  contacts?: number;
  asleep?: number;
  frozen?: number;
  ledger?: Record<string, number>;
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
}

export type Quantity = "speed" | "force";
const QUANTITIES: Quantity[] = ["speed", "force"];

export const BODY_FLOATS = 13;
const FRAME_MAGIC = 0x31465257; // "WRF1"
const GEOMETRY_MAGIC = 0x314d5257; // "WRM1"
const HEADER_BYTES = 80;
const HAS_ROSTER = 1;
const TOP = 65535;

export class WireError extends Error {}

export function kindOf(buffer: ArrayBuffer): "frame" | "geometry" {
  const magic = buffer.byteLength >= 4 ? new DataView(buffer).getUint32(0, true) : 0;
  if (magic === FRAME_MAGIC) return "frame";
  if (magic === GEOMETRY_MAGIC) return "geometry";
  throw new WireError(`unknown message, magic ${magic.toString(16)}`);
}

export function decodeFrame(buffer: ArrayBuffer): Frame {
  if (kindOf(buffer) !== "frame" || buffer.byteLength < HEADER_BYTES) throw new WireError("not a whole frame");
  const head = new DataView(buffer);
  const flags = head.getUint32(24, true);
  const count = head.getUint32(28, true);
  const bodyCount = head.getUint32(32, true);
  const noteBytes = head.getUint32(36, true);
  const withRoster = (flags & HAS_ROSTER) !== 0;
  const needed = HEADER_BYTES + bodyCount * BODY_FLOATS * 4 + count * (withRoster ? 16 : 8) + noteBytes;
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
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      position[3 * i + axis] = lower[axis]! + (rows[4 * i + axis]! / TOP) * size[axis]!;
    }
    value[i] = (rows[4 * i + 3]! / TOP) * highest;
  }

  let roster: Roster | null = null;
  if (withRoster) {
    const id = new Uint32Array(buffer.slice(at, at + 4 * count));
    at += 4 * count;
    const shares = new Uint16Array(buffer, at, count);
    at += 2 * count;
    const material = new Uint16Array(buffer.slice(at, at + 2 * count));
    at += 2 * count;
    const radius = Float32Array.from(shares, (share) => (share / TOP) * largestRadius);
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
    quantity: QUANTITIES[head.getUint32(68, true)] ?? "speed",
    value,
    highest,
    bodies,
    rosterNumber,
    roster,
    notes,
  };
}

/** The numbers that the parts of a scene's meshes point into, and the scene they belong to. */
export function decodeGeometry(buffer: ArrayBuffer): { generation: number; numbers: Float32Array } {
  if (kindOf(buffer) !== "geometry") throw new WireError("not a block of geometry");
  const head = new DataView(buffer);
  const count = head.getUint32(8, true);
  if (buffer.byteLength !== 16 + 4 * count) throw new WireError("geometry is not whole");
  return { generation: head.getUint32(4, true), numbers: new Float32Array(buffer, 16, count) };
}
