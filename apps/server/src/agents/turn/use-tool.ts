/**
 * One tool call, as every runtime makes it: announced, made through the host, and answered once.
 *
 * Whatever goes wrong with a tool is something the agent is told, not the end of its turn; also a tool
 * that is still at work when the turn is aborted is answered for.
 */
import type { ToolResult, TurnEvent, TurnHost } from "./agent-runtime.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export async function* useTool(
  host: TurnHost,
  { id, name, input }: ToolUse,
): AsyncGenerator<TurnEvent, ToolResult> {
  yield { type: "tool.called", id, name, input };
  const result = await callTool(host, name, input, id);
  yield { type: "tool.returned", id, ...result };
  return result;
}

/** Calls that are made at the same time: all of them are announced, and answered in their order. */
export async function* useTools(
  host: TurnHost,
  uses: readonly ToolUse[],
): AsyncGenerator<TurnEvent, readonly ToolResult[]> {
  for (const use of uses) yield { type: "tool.called", ...use };
  const calls = uses.map(({ id, name, input }) => callTool(host, name, input, id));
  const results = await Promise.all(calls);
  for (const [at, { id }] of uses.entries()) {
    const result = results[at];
    if (result !== undefined) yield { type: "tool.returned", id, ...result };
  }
  return results;
}

/** Never rejects. */
export async function callTool(
  host: TurnHost,
  name: string,
  input: unknown,
  callId?: string,
): Promise<ToolResult> {
  try {
    host.signal.throwIfAborted();
    return await untilAborted(host.signal, host.callTool(name, input, undefined, callId));
  } catch (cause) {
    const text = host.signal.aborted
      ? `The turn was stopped before ${name} answered.`
      : cause instanceof Error
        ? cause.message
        : String(cause);
    return { text, isError: true };
  }
}
