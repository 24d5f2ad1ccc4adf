/**
 * `atrium signals tail`: signals as they happen. A connection that breaks is taken up again where it was, so nothing
 * is missed and nothing shown twice.
 */
import { setTimeout } from "node:timers/promises";
import { Complaint, EXIT, messageOf } from "../../complaint.ts";
import { misused } from "../../read-args.ts";
import { findServer, type ServerFlags, type ServerPlace } from "../../server/find-server.ts";
import type { Surroundings } from "../../surroundings.ts";
import { describeSignal } from "./describe-signal.ts";
import { readEvents, type StreamedEvent } from "./read-events.ts";

export interface TailFlags extends ServerFlags {
  readonly type?: readonly string[] | undefined;
  readonly source?: readonly string[] | undefined;
  readonly agent?: readonly string[] | undefined;
  readonly correlation?: readonly string[] | undefined;
  readonly after?: string | undefined;
  readonly limit?: string | undefined;
  readonly json?: boolean | undefined;
}

const AGAIN_MS = 1_000;

export async function tail(flags: TailFlags, surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  const limit = readLimit(flags.limit);
  const place = findServer(flags, surroundings);
  let last = flags.after;
  let shown = 0;
  for await (const event of follow(place, flags, () => last)) {
    last = event.id ?? last;
    if (event.name === "reset") {
      terminal.err("atrium: the server has another log now; what was before is gone\n");
      last = undefined;
      continue;
    }
    terminal.out(
      flags.json === true ? `${event.data}\n` : describeSignal(event.data, terminal.paint),
    );
    if (++shown === limit) break;
  }
  return EXIT.ok;
}

/** The first attempt decides: a command that cannot begin says so at once. */
async function* follow(
  place: ServerPlace,
  flags: TailFlags,
  last: () => string | undefined,
): AsyncIterable<StreamedEvent> {
  let isFirst = true;
  for (;;) {
    try {
      const response = await open(place, flags, last());
      isFirst = false;
      if (response.body === null) throw new Complaint(`${place.url} tells nothing.`);
      yield* readEvents(response.body);
    } catch (cause) {
      if (cause instanceof Complaint) throw cause;
      if (isFirst) {
        const advice = "Find out why with: atrium doctor";
        throw new Complaint(
          `${place.url} does not answer: ${messageOf(cause)}.`,
          { advice },
          cause,
        );
      }
    }
    await setTimeout(AGAIN_MS);
  }
}

async function open(
  { url, token }: ServerPlace,
  { type = [], source = [], agent = [], correlation = [] }: TailFlags,
  last: string | undefined,
): Promise<Response> {
  const target = new URL("/api/signals/stream", url);
  for (const value of type) target.searchParams.append("type", value);
  for (const value of source) target.searchParams.append("source", value);
  for (const value of agent) target.searchParams.append("agent", value);
  for (const value of correlation) target.searchParams.append("correlationId", value);
  const response = await fetch(target, {
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(last !== undefined && { "last-event-id": last }),
    },
  });
  if (response.status === 200) return response;
  throw new Complaint(`${url} does not tell signals: ${await response.text()}`);
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw misused("--limit takes a number from 1");
}
