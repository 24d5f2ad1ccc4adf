/**
 * A tool call that is made at most once, whoever asks again.
 *
 *   absent --begin--> begun --finish--> finished
 *
 * It is written down before anything is done, so that a process that dies in between leaves a call that
 * was begun: nobody knows how far it came, and it is not made a second time.
 */
import type { Log } from "@atrium/log";
import { readAs } from "../engine/codec.ts";
import { streamOf, type Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";

export type ToolCallCommand =
  /** `digest`: what exactly is asked, so that the same key for something else shows. */
  | { readonly type: "begin"; readonly tool: string; readonly digest: string }
  | { readonly type: "finish"; readonly text: string; readonly isError: boolean };

export type ToolCallEvent =
  | { readonly type: "tool-call.begun"; readonly tool: string; readonly digest: string }
  | { readonly type: "tool-call.finished"; readonly text: string; readonly isError: boolean };

export type ToolCall =
  | { readonly state: "absent" }
  | { readonly state: "begun"; readonly digest: string }
  | {
      readonly state: "finished";
      readonly digest: string;
      readonly text: string;
      readonly isError: boolean;
    };

function decide(call: ToolCall, command: ToolCallCommand): Outcome<readonly ToolCallEvent[]> {
  switch (command.type) {
    case "begin": {
      const { tool, digest } = command;
      if (call.state === "absent") return accept([{ type: "tool-call.begun", tool, digest }]);
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
      const { text, isError } = event;
      if (call.state === "absent") return call;
      return { state: "finished", digest: call.digest, text, isError };
    }
  }
}

export const toolCall: Aggregate<ToolCall, ToolCallCommand, ToolCallEvent> = {
  name: "tool-call",
  initial: { state: "absent" },
  decide,
  evolve,
  read: readAs<ToolCallEvent>,
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
