/**
 * What the client takes from its surroundings, as narrow as it uses it: a WebSocket, a clock, timers,
 * dice and new names. Browsers and Node bring all of them; tests bring their own.
 */

/** The part of a WebSocket that is used. The browser's, Node's and the `ws` package's all fit. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: "close",
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

export type SocketConstructor = new (url: string) => SocketLike;

/** Runs `run` once after `delayMs`, unless the function it returns is called before. */
export type SetTimer = (run: () => void, delayMs: number) => () => void;

export interface ClientDeps {
  readonly WebSocket: SocketConstructor;
  /** Milliseconds on a clock that goes on while the machine sleeps. */
  readonly now: () => number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** A name nobody else will choose; what makes a call happen once. */
  readonly newKey: () => string;
  readonly setTimer: SetTimer;
}

/** Timers take a signed 32-bit number; above it they would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export function defaultDeps(): ClientDeps {
  return {
    WebSocket: globalThis.WebSocket,
    // Not the monotonic clock: some browsers stop it during sleep, and a socket that died in the
    // meantime would be believed for another two ticks.
    now: () => Date.now(),
    random: () => Math.random(),
    newKey,
    setTimer(run, delayMs) {
      const timer = setTimeout(run, Math.min(delayMs, MAX_DELAY_MS));
      return () => clearTimeout(timer);
    },
  };
}

const KEY_BYTES = 16;

/** Not `randomUUID`: browsers keep that from pages that came over plain HTTP. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
