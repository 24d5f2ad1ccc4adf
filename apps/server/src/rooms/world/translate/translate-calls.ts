/**
 * The tools an agent uses for a task, as events. Which task and project it is for stands in the name of the
 * conversation in which it is worked on, so that the entry is all that is needed. What goes in and comes out is
 * data of unknown size and kind: it is told as text, cut where it gets long.
 */
import { conversation, streamOf, type ConversationEvent } from "@atrium/core";
import type { CallEvent } from "@atrium/wire/world";
import { cleanText } from "../../../platform/clean-text.ts";
import type { WorldEntry } from "./translate.ts";

const MAX_CHARS = 4_000;
const CALLS = "run.tool.";
const WORK = new RegExp(
  `^${streamOf(conversation, "agent:")}([^:]+):task:(task_([a-z0-9_]+)_\\d+)$`,
);

/** Undefined: no tool was used, or for no task. */
export function callOf(
  entry: WorldEntry,
  agentIdOf: (handle: string) => string,
): CallEvent | undefined {
  if (!entry.type.startsWith(CALLS)) return undefined;
  const [, handle, taskId, project] = WORK.exec(entry.stream) ?? [];
  if (handle === undefined || taskId === undefined || project === undefined) return undefined;
  const event: ConversationEvent = conversation.read(entry);
  if (event.type !== "run.tool.called" && event.type !== "run.tool.returned") return undefined;
  const { seq, at } = entry;
  const about = {
    seq,
    project_id: `proj_${project}`,
    at,
    task_id: taskId,
    agent_id: agentIdOf(handle),
    run_id: event.runId,
    call_id: event.callId,
    tool: cleanText(event.name),
  };
  if (event.type === "run.tool.called") {
    const { text: input, ...more } = shown(JSON.stringify(event.input) ?? "");
    return { name: "tool_called", ...about, input, ...more };
  }
  const { output, isError: is_error } = event;
  const whole = output === undefined ? {} : { output_bytes: output.bytes };
  return { name: "tool_returned", ...about, ...shown(event.text), is_error, ...whole };
}

function shown(text: string): { readonly text: string; readonly is_cut?: true } {
  if (text.length <= MAX_CHARS) return { text: cleanText(text) };
  return { text: cleanText(text.slice(0, MAX_CHARS)), is_cut: true };
}
