/** The calls that a model wants after one step: made one after the other, or at the same time where their tools allow it. */
import type { ToolResultPart } from "ai";
import type { TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import type { NamedTools } from "../turn/tool-names.ts";
import { useTools } from "../turn/use-tool.ts";
import type { RequestedTool } from "./stream-step.ts";

export async function* callTools(
  host: TurnHost,
  tools: NamedTools,
  wanted: readonly RequestedTool[],
  count: number,
): AsyncGenerator<TurnEvent, ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  // Some servers begin to count anew in every step.
  const calls = wanted.map((one, at) => ({ ...one, callId: `call_${count}_${at + 1}` }));
  for (const group of groupCalls(calls, tools)) {
    host.signal.throwIfAborted();
    const uses = group.map(({ callId: id, name, input }) => ({
      id,
      name: tools.nameOf(name),
      input,
    }));
    const [first] = group;
    const [use] = uses;
    if (first === undefined || use === undefined) continue;
    const returned =
      first.problem === undefined
        ? yield* useTools(host, uses)
        : [yield* refuseTool(use, first.problem)];
    for (const [at, { id: toolCallId, name: toolName }] of group.entries()) {
      const { text = "", isError = true } = returned[at] ?? {};
      const output = { type: isError ? ("error-text" as const) : ("text" as const), value: text };
      results.push({ type: "tool-result", toolCallId, toolName, output });
    }
  }
  return results;
}

/** Those that may be made at the same time, in their order; any other call alone. */
function groupCalls<Call extends RequestedTool>(
  calls: readonly Call[],
  { declarations }: NamedTools,
): readonly (readonly Call[])[] {
  const parallel = new Set(
    declarations.flatMap(({ name, isParallel }) => (isParallel === true ? [name] : [])),
  );
  const groups: Call[][] = [];
  let open: Call[] | undefined;
  for (const call of calls) {
    const mayJoin = call.problem === undefined && parallel.has(call.name);
    if (mayJoin && open !== undefined) {
      open.push(call);
      continue;
    }
    const group = [call];
    groups.push(group);
    open = mayJoin ? group : undefined;
  }
  return groups;
}

async function* refuseTool(
  call: { readonly id: string; readonly name: string; readonly input: unknown },
  text: string,
): AsyncGenerator<TurnEvent, { readonly text: string; readonly isError: true }> {
  yield { type: "tool.called", ...call };
  yield { type: "tool.returned", id: call.id, text, isError: true };
  return { text, isError: true };
}
