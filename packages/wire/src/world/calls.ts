/**
 * Tools that agents use for a task. They are events, in the log's order with its `seq`, on a channel of their own:
 * there are many, and the timeline is for people to read.
 */
import { Type, type Static } from "@atrium/schema";
import { AgentId, TaskId } from "./ids.ts";
import { timelineEvent } from "./timeline-event.ts";

const Text = Type.String();
const IsCut = Type.Optional(
  Type.Literal(true, { description: "There is more of it than is told here." }),
);

const call = {
  task_id: TaskId,
  agent_id: AgentId,
  run_id: Text,
  /** One of its kind in its run. */
  call_id: Text,
  tool: Text,
};

export const CALL_EVENTS = {
  tool_called: timelineEvent("tool_called", {
    ...call,
    input: Type.String({ description: "What it was called with, as JSON." }),
    is_cut: IsCut,
  }),
  tool_returned: timelineEvent("tool_returned", {
    ...call,
    text: Text,
    is_error: Type.Boolean(),
    is_cut: IsCut,
    output_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "The text is a part: all of it, this long, is at /api/runs/{run_id}/calls/{call_id}/output.",
      }),
    ),
  }),
} as const;

export type CallEvent = {
  [Name in keyof typeof CALL_EVENTS]: Static<(typeof CALL_EVENTS)[Name]>;
}[keyof typeof CALL_EVENTS];
