/**
 * Server-sent events that last. The browser comes back by itself when a connection breaks, but gives up when it is
 * answered with anything but a stream, as by a server that is just starting; then it is opened anew from where it was.
 */
import type { StreamSource } from "./event-stream-source.ts";

export interface StreamDeps {
  readonly open: (path: string) => StreamSource;
  readonly later: (run: () => void, delayMs: number) => void;
}

export interface StreamListener {
  /** `id` is undefined for what only passes. */
  onMessage(data: string, id: string | undefined): void;
  /** Whether there is a connection. */
  onConnection(isHeard: boolean): void;
  /** The server does not know where we were: what was heard before is of another log. */
  onReset?(): void;
}

const AGAIN_MS = 2_000;
/** EventSource.CLOSED, which is not everywhere. */
const CLOSED = 2;

/** `pathAfter` is where to go on from an id, or from the beginning. Returns what ends it. */
export function openReconnectingStream(
  pathAfter: (id: string | undefined) => string,
  { open, later }: StreamDeps,
  listener: StreamListener,
): () => void {
  let last: string | undefined;
  let isOver = false;
  let source: StreamSource;
  const start = (): void => {
    if (isOver) return;
    source = open(pathAfter(last));
    const mine = source;
    mine.addEventListener("message", ({ data, lastEventId }) => {
      // What passes has the id of what was kept before it.
      const id = lastEventId === "" || lastEventId === last ? undefined : lastEventId;
      last = id ?? last;
      listener.onMessage(data, id);
    });
    mine.addEventListener("reset", () => {
      last = undefined;
      listener.onReset?.();
    });
    mine.addEventListener("open", () => listener.onConnection(true));
    mine.addEventListener("error", () => {
      if (isOver) return;
      listener.onConnection(false);
      if (mine.readyState === CLOSED) later(start, AGAIN_MS);
    });
  };
  start();
  return () => {
    isOver = true;
    source.close();
  };
}
