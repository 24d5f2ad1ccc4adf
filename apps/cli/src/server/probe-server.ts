/**
 * Finds out what answers at an address. A process id alone is no proof: the process may be a zombie, or the id may
 * belong to another program by now.
 */
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { isRecord } from "./settings.ts";

/** `silent`: the connection was accepted, and no answer came in time. */
export type ProbeResult = "atrium" | "stranger" | "silent" | "nobody";

const TIMEOUT_MS = 2_000;

export function probeServer(url: string): Promise<ProbeResult> {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  const request = get(
    new URL("/readyz", url),
    { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) },
    (response) => {
      text(response).then(
        (body) => resolve(isAtrium(body) ? "atrium" : "stranger"),
        () => resolve("silent"),
      );
    },
  );
  request.on("error", ({ name }) =>
    resolve(name === "AbortError" || name === "TimeoutError" ? "silent" : "nobody"),
  );
  return promise;
}

function isAtrium(body: string): boolean {
  try {
    const answer: unknown = JSON.parse(body);
    return isRecord(answer) && typeof answer["version"] === "string" && "ready" in answer;
  } catch {
    return false;
  }
}
