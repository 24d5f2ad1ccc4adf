/** Tells how the work goes. Passing by nature: whoever looks sees it, nobody keeps it. */
import { Type } from "@atrium/schema";
import type { LiveRuns } from "../runs/live-runs.ts";
import { defineTool, outsideTurn, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface ProgressToolDeps {
  readonly live: Pick<LiveRuns, "publish">;
}

export function progressTool({ live }: ProgressToolDeps): Tool {
  return defineTool({
    name: "progress",
    description: "Tells people what you are doing right now, in one short sentence.",
    input: {
      text: Type.String({ minLength: 1, maxLength: 500 }),
      percent: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: "How much of the task is done. Leave it out unless you know.",
        }),
      ),
    },
    call({ text, percent }, { runId }) {
      if (runId === null) return outsideTurn("progress");
      live.publish(runId, { type: "progress", text, ...(percent !== undefined && { percent }) });
      return textResult({ told: true });
    },
  });
}
