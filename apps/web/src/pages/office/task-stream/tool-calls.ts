/** The tools used for a task, each with what came back, up to the moment that is shown. Pure. */
import type { CallMoment } from "../../../world/moments.ts";
import { callKey, commandIn } from "../../../world/terminals.ts";
import { gistOf } from "./call-gist.ts";

export interface ToolCall {
  readonly key: string;
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  /** What it runs, where it runs something. */
  readonly command: string | undefined;
  /** What it is about, in a few words on one line. */
  readonly gist: string;
  readonly agentId: string;
  readonly input: ShownText;
  readonly startedAt: number;
  /** Null: it is still going. */
  readonly result: ToolOutput | null;
}

export interface ToolOutput extends ShownText {
  readonly isError: boolean;
  readonly at: number;
  /** There is more than the text; all of it, this long, can be read. */
  readonly outputBytes: number | undefined;
}

interface ShownText {
  readonly text: string;
  readonly isCut: boolean;
}

/** `until`: the seq of the last entry that has happened; undefined: now. */
export function toolCallsOf(
  moments: readonly CallMoment[],
  taskId: string,
  until = Infinity,
): readonly ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const { seq, at, event } of moments) {
    if (event.task_id !== taskId || seq > until) continue;
    const { run_id: runId, call_id: callId } = event;
    const key = callKey(runId, callId);
    const isCut = event.is_cut === true;
    if (event.name === "tool_called") {
      const { tool, agent_id: agentId, input } = event;
      calls.set(key, {
        key,
        runId,
        callId,
        tool,
        command: isCut ? undefined : commandIn(input),
        gist: gistOf(input),
        agentId,
        input: { text: readable(input, isCut), isCut },
        startedAt: at,
        result: null,
      });
      continue;
    }
    const call = calls.get(key);
    const { text, is_error: isError, output_bytes: outputBytes } = event;
    const result = { text, isCut, isError, at, outputBytes };
    if (call !== undefined) calls.set(key, { ...call, result });
  }
  return [...calls.values()];
}

export function stateOf({ result }: ToolCall): "going" | "failed" | "done" {
  if (result === null) return "going";
  return result.isError ? "failed" : "done";
}

/** JSON with its members one below the other; whatever else it is stays as it is. */
function readable(json: string, isCut: boolean): string {
  if (isCut) return json;
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
