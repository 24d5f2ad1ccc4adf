/** The sockets and timers of the machine, as narrow as the plugin uses them. */
import { WebSocket as PackagedSocket } from "ws";

/** The part of a WebSocket that is used. Node's own and the `ws` package's both fit. */
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

export type OpenSocket = (url: string) => SocketLike;

export interface Timers {
  /** Runs it after that many milliseconds, unless it is cancelled before. */
  after(ms: number, run: () => void): () => void;
}

/** Node brings a WebSocket from version 22 on; before that, the packaged one does. */
export function openSocket(url: string): SocketLike {
  const Own = Reflect.get(globalThis, "WebSocket") as typeof globalThis.WebSocket | undefined;
  return Own === undefined ? new PackagedSocket(url) : new Own(url);
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
