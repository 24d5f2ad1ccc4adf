/**
 * Invocation: one command that a node was asked to run, and how that ended.
 *
 * It ends exactly once, whatever comes first: the node's answer, its disappearance, the end of
 * everyone's patience, or the end of the server. What is asked for is not kept (it may hold secrets, and
 * is never sent twice); what came of it is, so that whoever asks again is told the same.
 */
import type { Log } from "@atrium/log";
import { createCodec } from "../engine/codec.ts";
import { streamOf, type Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import { INVOCATION_EVENTS } from "./invocation-shapes.ts";

/** What is known of a node at the moment it is to be asked. */
export type Offer =
  | { readonly state: "unknown" }
  | {
      readonly state: "known";
      /** Null while it is not connected. */
      readonly declared: readonly string[] | null;
      readonly approved: readonly string[];
      readonly waiting: readonly string[];
    };

/** Besides the node itself, who or what ended an invocation; or that its outcome went with a deleted conversation. */
export type InvocationCutoff =
  | "timeout"
  | "disconnected"
  | "interrupted"
  | "abandoned"
  | "oversize"
  | "erased";

export type InvocationOutcome =
  | { readonly status: "done"; readonly payload: unknown }
  /** As the node wrote it. */
  | { readonly status: "done"; readonly payloadJson: string }
  | { readonly status: "refused"; readonly code: string | null; readonly message: string | null }
  | { readonly status: "cut"; readonly by: InvocationCutoff };

export type InvocationCommand =
  | {
      readonly type: "request";
      readonly invokeId: string;
      readonly nodeId: string;
      readonly command: string;
      /** The conversation it is asked for; null where it is none's. */
      readonly conversationKey: string | null;
      /** The server that the node is connected to; left out where there is one only. */
      readonly server?: string;
      readonly offer: Offer;
    }
  | { readonly type: "settle"; readonly outcome: InvocationOutcome };

export type InvocationEvent =
  | {
      readonly type: "invocation.requested";
      readonly invokeId: string;
      readonly nodeId: string;
      readonly command: string;
      /** Left out: written by an earlier version, which did not say. */
      readonly conversationKey?: string | null;
      readonly server?: string;
    }
  | {
      readonly type: "invocation.settled";
      readonly invokeId: string;
      readonly nodeId: string;
      readonly outcome: InvocationOutcome;
    };

export type Invocation = TaggedUnion<
  {
    absent: object;
    open: { invokeId: string; nodeId: string; command: string };
    settled: { invokeId: string; nodeId: string; command: string; outcome: InvocationOutcome };
  },
  "state"
>;

function decide(
  invocation: Invocation,
  command: InvocationCommand,
): Outcome<readonly InvocationEvent[]> {
  switch (command.type) {
    case "request": {
      if (invocation.state !== "absent") return accept([]);
      const { offer, type: _type, ...request } = command;
      const objection = objectionTo(request.command, offer);
      return objection ?? accept([{ type: "invocation.requested", ...request }]);
    }
    case "settle": {
      if (invocation.state === "absent") return refuse("invocation.unknown");
      if (invocation.state === "settled") return accept([]);
      const { invokeId, nodeId } = invocation;
      const { outcome } = command;
      return accept([{ type: "invocation.settled", invokeId, nodeId, outcome }]);
    }
  }
}

function objectionTo(command: string, offer: Offer): Outcome<never> | undefined {
  if (offer.state === "unknown") return refuse("node.unknown");
  const { declared, approved, waiting } = offer;
  if (!approved.includes(command)) {
    const isOffered = (declared ?? waiting).includes(command);
    return refuse(isOffered ? "command.unapproved" : "command.unoffered", command);
  }
  if (declared === null) return refuse("node.offline");
  return declared.includes(command) ? undefined : refuse("command.unoffered", command);
}

function evolve(invocation: Invocation, event: InvocationEvent): Invocation {
  switch (event.type) {
    case "invocation.requested": {
      const { invokeId, nodeId, command } = event;
      return { state: "open", invokeId, nodeId, command };
    }
    case "invocation.settled":
      if (invocation.state === "absent") return invocation;
      return { ...invocation, state: "settled", outcome: event.outcome };
  }
}

export const invocation: Aggregate<Invocation, InvocationCommand, InvocationEvent> = {
  name: "invocation",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<InvocationEvent>(INVOCATION_EVENTS),
};

export type ReadInvocation = (invokeId: string) => Promise<Invocation>;

/** Outcomes can be large and are rarely asked for again, so they are read from the log, not kept. */
export function createInvocationReader(log: Pick<Log, "read">): ReadInvocation {
  return async (invokeId) => {
    let state: Invocation = invocation.initial;
    for await (const entry of log.read({ stream: streamOf(invocation, invokeId) })) {
      state = evolve(state, invocation.read(entry));
    }
    return state;
  };
}
