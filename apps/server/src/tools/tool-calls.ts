/**
 * Tool calls that programs make themselves. One with a key is made at most once: it is written down
 * before it is made and its result after, so that whoever asks again is told the same, also after a
 * restart. One that was cut off in between is not made again.
 */
import { createHash } from "node:crypto";
import {
  accept,
  Fault,
  refuse,
  toolCall,
  type Dispatch,
  type Outcome,
  type ReadToolCall,
} from "@atrium/core";
import type { ToolResult } from "../agents/turn/agent-runtime.ts";
import type { ToolCallContext } from "../runs/agent-policy.ts";
import type { OpenToolbox } from "./toolbox.ts";

export interface ToolCallRequest {
  readonly name: string;
  readonly input: unknown;
  readonly context: ToolCallContext;
}

export interface ToolCalls {
  call(wanted: ToolCallRequest, onceKey?: string): Promise<Outcome<ToolResult>>;
}

export interface ToolCallsDeps {
  readonly toolbox: Pick<OpenToolbox, "call" | "mayQuote">;
  readonly dispatch: Dispatch;
  readonly readToolCall: ReadToolCall;
  readonly report: (fault: Fault) => void;
}

export function createToolCalls(deps: ToolCallsDeps): ToolCalls {
  const { toolbox, dispatch, readToolCall } = deps;
  const underWay = new Map<string, Promise<ToolResult>>();

  async function make(id: string, { name, input, context }: ToolCallRequest): Promise<ToolResult> {
    // Whoever asks again wants the result, so that it is not given up when the first to ask goes away.
    const { signal } = new AbortController();
    const result = await toolbox.call(name, input, { ...context, signal });
    const noted = await dispatch(toolCall, id, { type: "finish", ...result });
    // The call was made and its answer is good; only a repeat will be told that nobody knows.
    if (!noted.ok) deps.report(new Fault("a tool's result was not written", { id, ...noted }));
    return result;
  }

  async function repeated(id: string): Promise<Outcome<ToolResult>> {
    const making = underWay.get(id);
    if (making !== undefined) return accept(await making);
    const known = await readToolCall(id);
    if (known.state !== "finished") return refuse("call.unfinished");
    if (known.isErased === true) return refuse("call.erased");
    return accept({ text: known.text, isError: known.isError });
  }

  return {
    async call(wanted, onceKey) {
      const { name, input, context } = wanted;
      if (onceKey === undefined) return accept(await toolbox.call(name, input, context));
      const id = digest(onceKey);
      const digestOfCall = digest(JSON.stringify([name, input, context.key]));
      const origin = { conversationKey: context.key, mayQuote: toolbox.mayQuote(name) };
      const begin = { type: "begin", tool: name, digest: digestOfCall, ...origin } as const;
      const begun = await dispatch(toolCall, id, begin);
      if (!begun.ok) return begun;
      if (begun.value.events.length === 0) return repeated(id);
      const making = make(id, wanted);
      underWay.set(id, making);
      try {
        return accept(await making);
      } finally {
        underWay.delete(id);
      }
    },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
