/** Streams as this browser has them. */
import { openEventStream } from "../shell/event-stream-source.ts";
import type { StreamDeps } from "../shell/lasting-stream.ts";
import { fetchOwn } from "../shell/own-server.ts";

export const BROWSER_STREAMS: StreamDeps = {
  open: (path) => openEventStream(path, fetchOwn),
  later: (run, delayMs) => void setTimeout(run, delayMs),
};
