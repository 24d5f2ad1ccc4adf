/**
 * Hands signals to the server. They have ids, so sending them again counts once: what is not answered is sent again,
 * a little later each time.
 */
import { setTimeout } from "node:timers/promises";
import { CliError, messageOf } from "../../command-line/cli-error.ts";
import type { ServerPlace } from "../../server/find-server.ts";
import { isRecord } from "../../server/settings.ts";

export interface SendOptions {
  readonly timeoutMs: number;
  readonly tries: number;
}

/** What the server did not want, in words. */
export type RejectedSignals = readonly string[];

const FIRST_WAIT_MS = 250;

export async function sendSignals(
  place: ServerPlace,
  lines: readonly string[],
  { timeoutMs, tries }: SendOptions,
): Promise<RejectedSignals> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= tries;
    try {
      const response = await post(place, lines, timeoutMs);
      const body: unknown = await response.json();
      if (response.status === 202 || isRejection(body)) return describeRejected(body);
      const isBusy = response.status === 429 || response.status === 503;
      if (!isBusy || isLast) throw refused(place, response.status, body);
      await setTimeout(waitFor(response, attempt));
    } catch (cause) {
      if (cause instanceof CliError) throw cause;
      if (isLast) {
        throw new CliError(`${place.url} does not answer: ${messageOf(cause)}.`, {}, cause);
      }
      await setTimeout(FIRST_WAIT_MS * attempt);
    }
  }
}

function post(
  { url, token }: ServerPlace,
  lines: readonly string[],
  timeoutMs: number,
): Promise<Response> {
  return fetch(new URL("/api/signal", url), {
    method: "POST",
    headers: {
      "content-type": "application/x-ndjson",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: lines.join("\n"),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

function waitFor(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get("retry-after"));
  return seconds > 0 ? seconds * 1_000 : FIRST_WAIT_MS * attempt;
}

function isRejection(body: unknown): boolean {
  return isRecord(body) && Array.isArray(body["rejected"]);
}

function describeRejected(body: unknown): RejectedSignals {
  const rejected = isRecord(body) && Array.isArray(body["rejected"]) ? body["rejected"] : [];
  return rejected
    .filter(isRecord)
    .map(({ path, reason }) => `${String(path)} ${String(reason)}`.trim());
}

function refused({ url }: ServerPlace, status: number, body: unknown): CliError {
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const why = typeof error["message"] === "string" ? error["message"] : `status ${status}`;
  if (status !== 401) return new CliError(`${url} rejected the signals: ${why}`);
  return new CliError(`${url} rejected the connection: ${why}.`, {
    advice: "Pass the token with --token or ATRIUM_TOKEN.",
  });
}
