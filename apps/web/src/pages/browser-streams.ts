/** Streams as this browser has them. */
import type { StreamDeps } from "../shell/lasting-stream.ts";

export const BROWSER_STREAMS: StreamDeps = {
  open: (path) => new EventSource(path),
  later: (run, delayMs) => void setTimeout(run, delayMs),
};
