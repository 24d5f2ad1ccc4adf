/**
 * A tool call that is made at most once, whoever asks again.
 *
 *   absent --begin--> begun --finish--> finished
 *
 * It is written down before anything is done, so that a process that dies in between leaves a call that
 * was begun: nobody knows how far it came, and it is not made a second time.
 */
import type { Log } from "@atrium/log";
import { createCodec } from "../engine/codec.ts";
import { streamOf, type Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import { TOOL_CALL_EVENTS } from "./tool-call-shapes.ts";

/** Whose words a result may hold. */
export interface CallOrigin {
  /** The conversation it is called from. */
  readonly conversationKey: string;
  /** Whether it may tell what was said in any other one. */
  readonly mayQuote: boolean;
}

export type ToolCallCommand =
  /** `digest`: what exactly is asked, so that the same key for something else shows. */
  | ({ readonly type: "begin"; readonly tool: string; readonly digest: string } & CallOrigin)
  | { readonly type: "finish"; readonly text: string; readonly isError: boolean };

export type ToolCallEvent =
  /** Without an origin: written by an earlier version. */
  | ({
      readonly type: "tool-call.begun";
      readonly tool: string;
      readonly digest: string;
    } & Partial<CallOrigin>)
  | {
      readonly type: "tool-call.finished";
      readonly text: string;
      readonly isError: boolean;
      /** The result went with a conversation that was deleted. */
      readonly isErased?: true;
    };

export type ToolCall = TaggedUnion<
  {
    absent: object;
    begun: { digest: string };
    finished: { digest: string; text: string; isError: boolean; isErased?: true };
  },
  "state"
>;

function decide(call: ToolCall, command: ToolCallCommand): Outcome<readonly ToolCallEvent[]> {
  switch (command.type) {
    case "begin": {
      const { type: _type, ...request } = command;
      const { tool, digest } = request;
      if (call.state === "absent") return accept([{ type: "tool-call.begun", ...request }]);
      // Whoever began it first is making it, or has.
      return call.digest === digest ? accept([]) : refuse("key.reused", tool);
    }
    case "finish": {
      const { text, isError } = command;
      if (call.state !== "begun") return accept([]);
      return accept([{ type: "tool-call.finished", text, isError }]);
    }
  }
}

function evolve(call: ToolCall, event: ToolCallEvent): ToolCall {
  switch (event.type) {
    case "tool-call.begun":
      return { state: "begun", digest: event.digest };
    case "tool-call.finished": {
      const { type: _type, ...result } = event;
      if (call.state === "absent") return call;
      return { state: "finished", digest: call.digest, ...result };
    }
  }
}

export const toolCall: Aggregate<ToolCall, ToolCallCommand, ToolCallEvent> = {
  name: "tool-call",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<ToolCallEvent>(TOOL_CALL_EVENTS),
};

export type ReadToolCall = (id: string) => Promise<ToolCall>;

export function createReadToolCall(log: Pick<Log, "read">): ReadToolCall {
  return async (id) => {
    let call = toolCall.initial;
    for await (const entry of log.read({ stream: streamOf(toolCall, id) })) {
      call = evolve(call, toolCall.read(entry));
    }
    return call;
  };
}
