/** The tools used for a task, each with what came back, up to the moment that is shown. Pure. */
import type { CallMoment } from "../../../world/moments.ts";

export interface ToolCall {
  readonly key: string;
  readonly tool: string;
  readonly agentId: string;
  readonly input: ShownText;
  readonly startedAt: number;
  /** Null: it is still going. */
  readonly result: (ShownText & { readonly isError: boolean; readonly at: number }) | null;
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
    const key = `${event.run_id} ${event.call_id}`;
    const isCut = event.is_cut === true;
    if (event.name === "tool_called") {
      const { tool, agent_id: agentId, input } = event;
      calls.set(key, {
        key,
        tool,
        agentId,
        input: { text: readable(input, isCut), isCut },
        startedAt: at,
        result: null,
      });
      continue;
    }
    const call = calls.get(key);
    const { text, is_error: isError } = event;
    if (call !== undefined) calls.set(key, { ...call, result: { text, isCut, isError, at } });
  }
  return [...calls.values()];
}

const MAX_GIST_CHARS = 72;

/** In a few words, on one line. */
export function gistOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const bare = /^\{ ?(.*?) ?\}$/.exec(line)?.[1] ?? line;
  return bare.length > MAX_GIST_CHARS ? `${bare.slice(0, MAX_GIST_CHARS - 1)}…` : bare;
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
