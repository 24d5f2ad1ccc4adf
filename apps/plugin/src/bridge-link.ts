/**
 * The connection to the server, made again whenever it is lost.
 *
 *   connecting --hello, hello_ack--> up --lost--> waiting (1 s, 2 s, 4 s ... 30 s) --> connecting
 *                     \                \
 *                      `----------------`--the server says that it is of no use--> given up
 *
 * A server that is there pings. One that has not been heard of for longer than that is taken for lost,
 * because a dead connection may look open for a long time.
 */
import {
  createServerFrameReader,
  UnreadableFrame,
  type HelloAck,
  type PluginFrame,
  type ServerFrame,
} from "@atrium/wire/bridge";
import { delayAfter } from "./backoff.ts";
import type { Settings } from "./settings.ts";
import type { OpenSocket, SocketLike, Timers } from "./system.ts";

export interface LinkDeps {
  readonly settings: Settings;
  readonly pid: number;
  readonly openSocket: OpenSocket;
  readonly timers: Timers;
  readonly log: (line: string) => void;
  readonly onUp: (ack: HelloAck) => void;
  readonly onFrame: (frame: ServerFrame) => void;
  readonly onDown: (reason: string) => void;
}

type State =
  | { readonly state: "idle" }
  | { readonly state: "connecting"; readonly socket: SocketLike }
  | { readonly state: "up"; readonly socket: SocketLike }
  | { readonly state: "waiting" }
  | { readonly state: "given-up"; readonly reason: string }
  | { readonly state: "stopped" };

const NORMAL = 1000;
/** From here on a close code says that coming back is of no use. */
const MIN_FINAL_CODE = 4500;
const HELLO_TIMEOUT_MS = 10_000;
const DEFAULT_PING_MS = 30_000;
/** A little more than two pings: one may be late. */
const SILENCE_IN_PINGS = 2.5;

export class BridgeLink {
  readonly #deps: LinkDeps;
  readonly #read = createServerFrameReader();
  #link: State = { state: "idle" };
  #failures = 0;
  #silenceMs = HELLO_TIMEOUT_MS;
  #cancelTimer: () => void = () => undefined;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  get isUp(): boolean {
    return this.#link.state === "up";
  }

  /** Why there will be no connection any more. */
  get endReason(): string | undefined {
    return this.#link.state === "given-up" ? this.#link.reason : undefined;
  }

  start(): void {
    if (this.#link.state === "idle") this.#connect();
  }

  /** False when there is no connection; the frame is then gone. */
  send(frame: PluginFrame): boolean {
    if (this.#link.state !== "up") return false;
    this.#link.socket.send(JSON.stringify(frame));
    return true;
  }

  stop(): void {
    this.#cancelTimer();
    const link = this.#link;
    this.#link = { state: "stopped" };
    if ("socket" in link) link.socket.close(NORMAL, "the plugin stops");
  }

  #connect(): void {
    const socket = this.#deps.openSocket(this.#deps.settings.url);
    this.#link = { state: "connecting", socket };
    this.#silenceMs = HELLO_TIMEOUT_MS;
    this.#watch(socket);
    const isCurrent = (): boolean => "socket" in this.#link && this.#link.socket === socket;
    socket.addEventListener("open", () => {
      if (isCurrent()) socket.send(JSON.stringify(this.#hello()));
    });
    socket.addEventListener("message", ({ data }) => {
      if (isCurrent() && typeof data === "string") this.#receive(data, socket);
    });
    // A close follows every error and says more.
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", ({ code, reason }) => {
      if (isCurrent()) this.#onLost(code, reason);
    });
  }

  #hello(): PluginFrame {
    const { settings, pid } = this.#deps;
    return {
      type: "hello",
      openclaw_session: settings.openclawSession,
      claude_session: settings.claudeSession,
      pid,
      token: settings.token,
    };
  }

  #receive(text: string, socket: SocketLike): void {
    this.#watch(socket);
    const frame = this.#read(text);
    if (frame instanceof UnreadableFrame) {
      this.#deps.log(`the server sent a frame that cannot be used: ${frame.problem}`);
      return;
    }
    if (frame.type === "hello_ack") {
      this.#onHelloAck(frame, socket);
      return;
    }
    if (this.#link.state !== "up") return;
    // After what came before it has been passed on: the pong is the proof of that.
    if (frame.type === "ping") this.send({ type: "pong", ts: frame.ts });
    else this.#deps.onFrame(frame);
  }

  #onHelloAck(ack: HelloAck, socket: SocketLike): void {
    this.#link = { state: "up", socket };
    this.#failures = 0;
    const { ping_interval_ms: pingMs } = ack.session_meta;
    const isUsable = typeof pingMs === "number" && pingMs > 0 && pingMs < 3_600_000;
    this.#silenceMs = (isUsable ? pingMs : DEFAULT_PING_MS) * SILENCE_IN_PINGS;
    this.#watch(socket);
    this.#deps.log("connected");
    this.#deps.onUp(ack);
  }

  #watch(socket: SocketLike): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.timers.after(this.#silenceMs, () => {
      this.#onLost(0, "nothing was heard from the server for too long");
      socket.close();
    });
  }

  #onLost(code: number, reason: string): void {
    this.#cancelTimer();
    const wasUp = this.#link.state === "up";
    const isFinal = code === NORMAL || code >= MIN_FINAL_CODE;
    const why = reason === "" ? `the connection was lost (${code})` : reason;
    if (isFinal) {
      this.#link = { state: "given-up", reason: why };
      this.#deps.log(`the server ended it for good: ${why}`);
    } else {
      this.#link = { state: "waiting" };
      const delayMs = delayAfter(this.#failures++);
      this.#deps.log(`${why}; trying again in ${delayMs / 1000} s`);
      this.#cancelTimer = this.#deps.timers.after(delayMs, () => this.#connect());
    }
    if (wasUp || isFinal) this.#deps.onDown(why);
  }
}
