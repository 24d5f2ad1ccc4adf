/**
 * The one socket, its timer and its heartbeat: carries out what status.ts decides, and passes on what
 * arrives. Events of a dropped socket are ignored.
 */
import type { ClientDeps, SocketLike } from "../base/deps.ts";
import { isTrying, next, type LinkEvent, type WorldStatus } from "./status.ts";

export interface WorldLinkHandlers {
  readonly opened: () => void;
  readonly receive: (data: unknown) => void;
  /** Called every ping interval while there is a socket. */
  readonly ping: () => void;
  readonly changed: (status: WorldStatus, before: WorldStatus) => void;
}

export type WorldLinkDeps = Omit<ClientDeps, "newKey">;

const PING_MS = 15_000;
const SILENCE_MS = 45_000;
const CONNECT_MS = 15_000;
const ABNORMAL = 1006;
const GIVING_UP = 4000;

export class WorldLink {
  readonly #url: string;
  readonly #deps: WorldLinkDeps;
  readonly #handlers: WorldLinkHandlers;
  #status: WorldStatus = { state: "idle" };
  #socket: SocketLike | null = null;
  #cancelTimer: (() => void) | undefined;
  #cancelBeat: (() => void) | undefined;
  #lastReceivedAt = 0;

  constructor(url: string, handlers: WorldLinkHandlers, deps: WorldLinkDeps) {
    this.#url = url;
    this.#handlers = handlers;
    this.#deps = deps;
  }

  get status(): WorldStatus {
    return this.#status;
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  start(): void {
    this.#handle({ type: "start" });
  }

  caughtUp(): void {
    this.#handle({ type: "caught-up" });
  }

  /** Replaces the socket with a new one, at once. */
  reopen(): void {
    if (this.#status.state !== "connected") return;
    this.#lose(GIVING_UP, "reopened");
    this.#handle({ type: "timer" });
  }

  stop(): void {
    this.#handle({ type: "stop" });
  }

  #handle(event: LinkEvent): void {
    const before = this.#status;
    const status = next(before, event);
    if (status === before) return;
    this.#status = status;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (isTrying(status)) this.#open();
    else if (status.state !== "connected") this.#drop();
    if (status.state === "stale" && status.delayMs !== null) {
      this.#cancelTimer = this.#deps.setTimer(
        () => this.#handle({ type: "timer" }),
        status.delayMs,
      );
    }
    this.#handlers.changed(status, before);
  }

  #lose(code: number, reason: string): void {
    this.#drop();
    this.#handle({ type: "lost", code, reason, roll: this.#deps.random() });
  }

  #open(): void {
    this.#cancelTimer = this.#deps.setTimer(
      () => this.#lose(GIVING_UP, "the server did not answer in time"),
      CONNECT_MS,
    );
    try {
      const socket = new this.#deps.WebSocket(this.#url);
      this.#socket = socket;
      this.#listen(socket);
    } catch {
      // A URL the platform refuses is refused again; the person sees the retries and the reason.
      this.#cancelTimer = this.#deps.setTimer(
        () => this.#lose(ABNORMAL, `cannot open ${this.#url}`),
        0,
      );
    }
  }

  #listen(socket: SocketLike): void {
    socket.addEventListener("open", () => {
      if (socket !== this.#socket) return;
      this.#lastReceivedAt = this.#deps.now();
      this.#beat();
      this.#handlers.opened();
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket !== this.#socket) return;
      this.#lastReceivedAt = this.#deps.now();
      this.#handlers.receive(data);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      if (socket === this.#socket) this.#lose(code, reason);
    });
    // A close follows every error and tells more, but Node's `ws` throws without a listener for errors.
    socket.addEventListener("error", () => undefined);
  }

  #beat(): void {
    this.#cancelBeat = this.#deps.setTimer(() => {
      if (this.#deps.now() - this.#lastReceivedAt >= SILENCE_MS) {
        this.#lose(GIVING_UP, "the server went silent");
        return;
      }
      this.#handlers.ping();
      this.#beat();
    }, PING_MS);
  }

  #drop(): void {
    this.#cancelBeat?.();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
