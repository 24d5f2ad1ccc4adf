/**
 * Carries out what transitions.ts decides: owns the one socket, the one timer and the watchdog, and
 * turns what they report into events.
 *
 * Events are handled one after the other: what a handler causes while one is handled waits its turn,
 * so a handler may start or stop the link at any moment. Events of a dropped socket are ignored.
 */
import type { ClientDeps, SocketLike } from "../base/deps.ts";
import type { Challenge, ConnectionEvent, ConnectionState, Effect } from "./connection.ts";
import { step } from "./transitions.ts";
import { Watchdog } from "./watchdog.ts";

export interface LinkSettings {
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly maxAttempts: number;
}

export type LinkDeps = Omit<ClientDeps, "newKey">;

export interface LinkHandlers {
  readonly authenticate: (challenge: Challenge) => void;
  readonly receive: (data: unknown) => void;
  readonly changed: (state: ConnectionState) => void;
}

/** How long closing waits for the peer to agree before it goes without. */
const FAREWELL_MS = 1_000;

export class Link {
  readonly #settings: LinkSettings;
  readonly #handlers: LinkHandlers;
  readonly #deps: LinkDeps;
  readonly #watchdog: Watchdog;
  readonly #events: ConnectionEvent[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #handling = false;
  #state: ConnectionState = { state: "idle" };
  #socket: SocketLike | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(settings: LinkSettings, handlers: LinkHandlers, deps: LinkDeps) {
    this.#settings = settings;
    this.#handlers = handlers;
    this.#deps = deps;
    this.#watchdog = new Watchdog(deps, () => this.dispatch({ type: "silent" }));
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** False when there is no socket to send on. */
  send(text: string): boolean {
    if (this.#socket === null) return false;
    this.#socket.send(text);
    return true;
  }

  /** Stops for good; resolves when the socket is closed, or when its peer takes too long to agree. */
  async close(): Promise<void> {
    this.dispatch({ type: "stop" });
    await this.#ended.promise;
  }

  dispatch(event: ConnectionEvent): void {
    this.#events.push(event);
    if (this.#handling) return;
    this.#handling = true;
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
        this.#handle(next);
      }
    } finally {
      this.#handling = false;
    }
  }

  #handle(event: ConnectionEvent): void {
    const before = this.#state;
    const { connectTimeoutMs, maxAttempts } = this.#settings;
    const given = { connectTimeoutMs, maxAttempts, roll: this.#deps.random() };
    const { state, effects } = step(before, event, given);
    this.#state = state;
    const last = this.#socket;
    for (const effect of effects) this.#carryOut(effect);
    if (state === before) return;
    if (state.state === "stopped") this.#end(last);
    this.#handlers.changed(state);
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case "open":
        this.#open();
        break;
      case "authenticate":
        this.#handlers.authenticate(effect.challenge);
        break;
      case "drop": {
        const socket = this.#socket;
        this.#socket = null;
        socket?.close(effect.code, effect.reason);
        break;
      }
      case "arm":
        this.#cancelTimer?.();
        this.#cancelTimer = this.#deps.setTimer(
          () => this.dispatch({ type: "timer" }),
          effect.delayMs,
        );
        break;
      case "disarm":
        this.#cancelTimer?.();
        this.#cancelTimer = null;
        break;
      case "watch":
        this.#watchdog.watch(effect.silenceMs);
        break;
      case "unwatch":
        this.#watchdog.unwatch();
        break;
    }
  }

  #open(): void {
    try {
      const socket = new this.#deps.WebSocket(this.#settings.url);
      this.#socket = socket;
      this.#listen(socket);
    } catch (cause) {
      // A URL or port the platform refuses; it will refuse it again.
      this.dispatch({ type: "broken", cause });
    }
  }

  #listen(socket: SocketLike): void {
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.dispatch({ type: "opened" });
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket !== this.#socket) return;
      this.#watchdog.received();
      this.#handlers.receive(data);
    });
    socket.addEventListener("close", ({ code, reason }) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      this.dispatch({ type: "closed", code, reason });
    });
    // A close follows every error and tells more, but Node's `ws` throws without a listener for errors.
    socket.addEventListener("error", () => undefined);
  }

  #end(last: SocketLike | null): void {
    if (last === null) {
      this.#ended.resolve();
      return;
    }
    const cancel = this.#deps.setTimer(() => this.#ended.resolve(), FAREWELL_MS);
    last.addEventListener("close", () => {
      cancel();
      this.#ended.resolve();
    });
  }
}
