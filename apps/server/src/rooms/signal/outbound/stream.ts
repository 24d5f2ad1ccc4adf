/**
 * `GET /api/signals/stream`: signals as server-sent events, filtered by the query. An event's id is the signal's
 * position; whoever comes back with the last one (Last-Event-ID) has missed nothing. What only passes has no id.
 *
 * Whoever asks for nothing in particular gets what suits a picture of the office: everything, from now on, with
 * words gathered for a moment. `words=each` or a filter gives every word as it comes.
 */
import { Fault } from "@atrium/core";
import type { SignalFilter } from "@atrium/wire/signal";
import { abortOnDisconnect, type HttpRequest, type Endpoint } from "../../../http/api.ts";
import {
  alreadySent,
  EventStream,
  headOfStream,
  type EventStreamRules,
} from "../../../http/event-stream.ts";
import { problem } from "../../../http/problem.ts";
import { catchUp } from "../../../platform/catch-up.ts";
import type { Timers } from "../../../platform/timers.ts";
import { OutgoingSignal } from "../translate/outgoing-signal.ts";
import {
  describeBadPosition,
  lastCompleteSeq,
  parsePosition,
  type SignalPosition,
} from "../translate/position.ts";
import { createMatcher, FILTERS, readFilter } from "./filter.ts";
import type { SignalHub, SignalItem } from "./hub.ts";
import { TextBatch } from "./text-batcher.ts";

export interface SignalStreamDeps {
  readonly hub: SignalHub;
  readonly rules: EventStreamRules;
  readonly timers: Timers;
  readonly closing: AbortSignal;
  readonly report: (fault: Fault) => void;
}

export const STREAM_PARAMS = [...FILTERS, "after", "words"];

interface StreamQuery {
  readonly filter: SignalFilter;
  readonly after: SignalPosition | undefined;
  readonly isGathered: boolean;
}

export function createSignalStream(deps: SignalStreamDeps): Endpoint {
  return (request) => {
    const wish = readStreamQuery(request);
    if (typeof wish === "string") return problem(400, "params.invalid", wish);
    if (request.incoming.method === "HEAD") return headOfStream();
    const gone = AbortSignal.any([abortOnDisconnect(request.outgoing), deps.closing]);
    const events = new EventStream(request.outgoing, {}, deps.rules);
    streamSignals(deps, events, wish, gone)
      .catch((cause: unknown) => deps.report(new Fault("signals could not be told", {}, cause)))
      .finally(() => events.end());
    return alreadySent();
  };
}

async function streamSignals(
  { hub, timers }: SignalStreamDeps,
  events: EventStream,
  { filter, after, isGathered }: StreamQuery,
  gone: AbortSignal,
): Promise<void> {
  const wants = createMatcher(filter);
  let from = after ?? { seq: hub.seq, index: Infinity };
  if (!hub.isKnown(from)) {
    // It is of another log; there is nothing here to go on from.
    events.sendEvent("reset", { reason: "the position is not of this log" });
    from = { seq: hub.seq, index: Infinity };
  }
  let isCurrent = false;
  using words = new TextBatch(timers, (signal) => events.sendText(new OutgoingSignal(signal).json));
  const take = ({ seq, signals }: SignalItem): void => {
    words.flush();
    for (const [index, { signal, isKept, json, position }] of signals.entries()) {
      if (seq === from.seq && index <= from.index) continue;
      if (wants(signal) && !(isKept && isCurrent)) events.sendText(json, position);
    }
  };
  using passing = new DisposableStack();
  const reader = {
    take,
    room: () => events.room(),
    isCurrent(): void {
      isCurrent = true;
      for (const { json } of hub.underway(wants)) events.sendText(json);
      passing.use(
        hub.onEphemeral((outgoing) => {
          if (!wants(outgoing.signal)) return;
          if (isGathered) words.add(outgoing.signal);
          else events.sendText(outgoing.json);
        }),
      );
    },
  };
  await catchUp(hub, lastCompleteSeq(from), reader, gone);
}

function readStreamQuery({ incoming }: HttpRequest): StreamQuery | string {
  const query = new URL(incoming.url ?? "/", "http://localhost").searchParams;
  const filter = readFilter(query);
  const last = incoming.headers["last-event-id"];
  const given = (typeof last === "string" && last !== "" ? last : query.get("after")) ?? undefined;
  const words = query.get("words") ?? (query.size === 0 ? "gathered" : "each");
  if (words !== "gathered" && words !== "each") return "words is gathered or each.";
  const isGathered = words === "gathered";
  if (given === undefined) return { filter, after: undefined, isGathered };
  const after = parsePosition(given);
  if (after === undefined) return describeBadPosition(given);
  return { filter, after, isGathered };
}
