/**
 * `GET /api/builds/:id/events`: everything that was told of a build after a place in the log, then what
 * is told from now on, up to its end. Whoever has the end already is told to stay away (204), because an
 * EventSource would come back for ever.
 */
import { hasEnded, refuse } from "@atrium/core";
import type { ReadBuilds } from "../../../builds/read-builds.ts";
import { abortOnDisconnect, type HttpRequest, type Endpoint } from "../../../http/api.ts";
import {
  alreadySent,
  EventStream,
  headOfStream,
  type EventStreamRules,
} from "../../../http/event-stream.ts";
import { problem, refusal } from "../../../http/problem.ts";
import { catchUp, type Source } from "../../../platform/catch-up.ts";
import { encodeFeed, type BuildFeed, type EncodedFeedEvent } from "./feed.ts";

export interface EventsEndpointDeps {
  readonly read: Pick<ReadBuilds, "find" | "eventsAfter">;
  readonly feed: Pick<BuildFeed, "listen">;
  readonly head: () => number;
  readonly rules: EventStreamRules;
  readonly closing: AbortSignal;
}

const NO_CONTENT = 204;

export function eventsEndpoint(deps: EventsEndpointDeps): Endpoint {
  const { read, feed, head, rules, closing } = deps;
  return async (request) => {
    const id = request.path["id"] ?? "";
    const given = afterOf(request);
    if (given === undefined) {
      return problem(400, "params.invalid", "Last-Event-ID and after must be integers.");
    }
    const row = await read.find(id);
    if (row === undefined) return refusal(refuse("build.missing", id));
    // It is of another log; what whoever asks has of this build is not what happened here.
    const isKnown = given <= head();
    const after = isKnown ? given : 0;
    const isOver = hasEnded(row.build) && after >= row.lastSeq;
    if (isOver) return new Response(null, { status: NO_CONTENT });
    if (request.incoming.method === "HEAD") return headOfStream();
    const { outgoing } = request;
    const stream = new EventStream(outgoing, {}, rules);
    if (!isKnown) stream.sendEvent("reset", { reason: "the position is not of this log" });
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, abortOnDisconnect(outgoing), closing]);
    const source: Source<EncodedFeedEvent> = {
      async *past(from) {
        for await (const event of read.eventsAfter(id, from)) yield encodeFeed(event);
      },
      listen: (listener) => feed.listen(id, listener),
    };
    const reader = {
      take({ text, seq, isLast }: EncodedFeedEvent) {
        stream.sendText(text, seq);
        if (isLast) over.abort();
      },
      room: () => stream.room(),
    };
    await catchUp(source, after, reader, signal);
    stream.end();
    return alreadySent();
  };
}

/** The header wins: it is what a reader that comes back has seen since it first asked. */
function afterOf({ incoming, query }: HttpRequest): number | undefined {
  const header = incoming.headers["last-event-id"];
  const isGiven = typeof header === "string" && header !== "";
  const written = isGiven ? header : (query["after"] ?? "0");
  return /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}
