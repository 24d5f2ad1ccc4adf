/**
 * `GET /api/signals?before=12.0`: a page of signals that ends right before a place in the log, oldest first, and where
 * the page before it ends. The past is told forward, so it is read in stretches, each further back.
 */
import { jsonText, type Endpoint } from "../../../http/api.ts";
import { problem } from "../../../http/problem.ts";
import type { OutgoingSignal } from "../translate/outgoing-signal.ts";
import {
  describeBadPosition,
  formatPosition,
  parsePosition,
  type SignalPosition,
} from "../translate/position.ts";
import { createMatcher, FILTERS, readFilter, type SignalMatcher } from "./filter.ts";
import type { SignalHub } from "./hub.ts";

export const HISTORY_PARAMS = [...FILTERS, "before", "limit"];
const STRETCH = 1_000;
/** A filter that nothing fits must not read the whole log at once; the answer says where to go on. */
const MAX_ENTRIES_READ = 20_000;
const PAGE = 200;
const MAX_PAGE = 1_000;

export function createSignalHistory(hub: Pick<SignalHub, "past" | "seq">): Endpoint {
  return async ({ incoming }) => {
    const query = new URL(incoming.url ?? "/", "http://localhost").searchParams;
    const given = query.get("before") ?? String(hub.seq + 1);
    const before = parsePosition(given);
    if (before === undefined) {
      return problem(400, "params.invalid", describeBadPosition(given));
    }
    const limit = Number(query.get("limit") ?? PAGE);
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE) {
      return problem(400, "params.invalid", `limit must be an integer from 1 to ${MAX_PAGE}.`);
    }
    const wants = createMatcher(readFilter(query));
    const { page, next } = await readBack(hub, before, wants, limit);
    const signals = page.map(({ position, json }) => `{"position":"${position}","signal":${json}}`);
    const rest = next === undefined ? "" : `,"next":"${next}"`;
    return jsonText(`{"signals":[${signals.join(",")}]${rest}}`);
  };
}

interface Page {
  readonly page: readonly OutgoingSignal[];
  /** Undefined: the log begins here. */
  readonly next: string | undefined;
}

async function readBack(
  hub: Pick<SignalHub, "past" | "seq">,
  before: SignalPosition,
  wants: SignalMatcher,
  limit: number,
): Promise<Page> {
  // An entry's number alone is its beginning.
  const end = before.index === Infinity ? { seq: before.seq, index: 0 } : before;
  let page: readonly OutgoingSignal[] = [];
  let from = Math.min(end.seq, hub.seq);
  const furthest = Math.max(0, from - MAX_ENTRIES_READ);
  let to = end.seq;
  while (from > furthest && page.length < limit) {
    from = Math.max(furthest, from - STRETCH);
    const found: OutgoingSignal[] = [];
    for await (const { seq, signals } of hub.past(from)) {
      if (seq > to) break;
      // Below the end of the page, or the end of the stretch that was read before.
      const upTo = to === end.seq ? end.index : Infinity;
      for (const [index, each] of signals.entries()) {
        if ((seq < to || index < upTo) && wants(each.signal)) found.push(each);
      }
    }
    page = [...found, ...page];
    to = from;
  }
  const shown = page.slice(-limit);
  const first = shown[0]?.position;
  if (page.length > limit && first !== undefined) return { page: shown, next: first };
  return { page: shown, next: from === 0 ? undefined : formatPosition(from + 1, 0) };
}
