/** Streams as this browser has them. */
import { openEventStream } from "./event-stream-source.ts";
import { fetchOwn } from "./own-server.ts";
import type { StreamDeps } from "./reconnecting-stream.ts";

export const BROWSER_STREAMS: StreamDeps = {
  open: (path) => openEventStream(path, fetchOwn),
  later: (run, delayMs) => void setTimeout(run, delayMs),
};
