/** Tells how the work goes. Passing by nature: whoever looks sees it, nobody keeps it. */
import { Type } from "@atrium/schema";
import type { LiveRuns } from "../runs/live-runs.ts";
import { defineTool, objection, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface ProgressToolDeps {
  readonly live: Pick<LiveRuns, "publish">;
}

export function progressTool({ live }: ProgressToolDeps): Tool {
  return defineTool({
    name: "progress",
    description: "Tells the people what is being done right now, in one short sentence.",
    input: Type.Object(
      {
        text: Type.String({ minLength: 1, maxLength: 500 }),
        percent: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 100,
            description: "How much of the task is done; only when you know.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    call({ text, percent }, { runId }) {
      if (runId === null) return objection("Progress is told in the course of a turn only.");
      live.publish(runId, { type: "progress", text, ...(percent !== undefined && { percent }) });
      return textResult({ told: true });
    },
  });
}
