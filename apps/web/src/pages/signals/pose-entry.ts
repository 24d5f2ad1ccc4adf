/** The entry of the log that an agent's pose comes from: as the world tells it, or as a signal does. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import type { WorldAgent } from "@atrium/wire/world";
import type { FetchJson } from "../../app/server/fetch-json.ts";

export interface LogEntry {
  readonly seq: number;
  readonly at: number;
  readonly raw: unknown;
}

interface Page {
  readonly messages: readonly {
    readonly ts: number;
    readonly payload: { readonly seq?: number; readonly at?: number };
  }[];
}

/** Undefined: that entry is none of those that the world tells. */
export async function findEntry(ask: FetchJson, seq: number): Promise<LogEntry | undefined> {
  const path = `/api/world/events?after=${Math.max(0, seq - 1)}&limit=1&goals=1&chat=1`;
  const answer = await ask<Page>("GET", path);
  const [raw] = answer.ok ? answer.value.messages : [];
  if (raw === undefined || raw.payload.seq !== seq) return undefined;
  return { seq, at: raw.payload.at ?? raw.ts, raw };
}

/** Work outside projects is no event of the office; the signal of it has the number of its entry. */
export function entryOfSignal(signal: SignalEnvelope | undefined): LogEntry | undefined {
  const seq = signal?.metadata?.["seq"];
  if (signal === undefined || typeof seq !== "number") return undefined;
  return { seq, at: signal.timestamp, raw: signal };
}

/** When anything was last heard of it: by the world, or by its latest signal. */
export function lastHeard(
  { heard_at: heardAt }: Pick<WorldAgent, "heard_at">,
  signal: Pick<SignalEnvelope, "timestamp"> | undefined,
): number | undefined {
  const times = [heardAt, signal?.timestamp].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}
