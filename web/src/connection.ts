// The socket to the server: it comes back by itself, and says of each frame that it arrived.

import { decodeFrame, decodeGeometry, kindOf, QUANTITIES, quantitiesOf, type Frame, type Quantity, type TextMessage } from "./wire";

export type Command =
  | { type: "pause" | "resume" | "reset" | "save" | "operate" }
  | { type: "step"; count: number }
  | { type: "time_scale"; value: number }
  | { type: "scene"; name: string }
  | { type: "restore"; number: number }
  | { type: "seek"; time: number }
  | { type: "color"; quantity: Quantity }
  | { type: "control"; values: Record<string, number>; stamp: number }
  | { type: "parameter"; path: string; value: number | boolean | string }
  | { type: "task"; action: "start" | "stop" };

export type LinkState = "connecting" | "open" | "lost" | "refused";

export interface Listener {
  text(message: TextMessage): void;
  geometry(generation: number, numbers: Float32Array): void;
  frame(frame: Frame): void;
  state(state: LinkState, words: string): void;
}

const PROTOCOL = 2;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const REFUSALS = new Set([4400, 4401, 4403]);

export class Connection {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;

  private quantities: readonly Quantity[] = QUANTITIES;

  constructor(
    private readonly listener: Listener,
    private readonly address: string = socketAddress(window.location),
  ) {}

  open(): void {
    this.listener.state("connecting", "connecting…");
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.listener.state("open", "");
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.hear(event.data);
    socket.onclose = (event) => {
      this.socket = null;
      if (REFUSALS.has(event.code)) {
        this.listener.state("refused", `refused: ${event.reason || event.code}`);
        return;
      }
      this.listener.state("lost", "connection lost; trying again…");
      window.setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT);
    };
    this.socket = socket;
  }

  send(command: Command | { type: "ack"; sequence: number }): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private hear(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      const message = JSON.parse(data) as TextMessage;
      if (message.type === "hello" && message.protocol !== PROTOCOL) {
        this.listener.state("refused", "the server is of another version; reload the page");
        return;
      }
      if (message.type === "scene") this.quantities = quantitiesOf(message.columns);
      this.listener.text(message);
    } else if (kindOf(data) === "frame") {
      const frame = decodeFrame(data, this.quantities);
      this.send({ type: "ack", sequence: frame.sequence });
      this.listener.frame(frame);
    } else {
      const { generation, numbers } = decodeGeometry(data);
      this.listener.geometry(generation, numbers);
    }
  }
}

/** Beside the page itself, with the token it was opened with. */
export function socketAddress(location: { protocol: string; host: string; pathname: string; search: string }): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const folder = location.pathname.replace(/[^/]*$/, "");
  const token = new URLSearchParams(location.search).get("token");
  return `${scheme}//${location.host}${folder}socket${token === null ? "" : `?token=${encodeURIComponent(token)}`}`;
}
