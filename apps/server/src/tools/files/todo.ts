/** The agent's own list of what is to be done; people see how far it is. */
import { Type } from "@atrium/schema";
import type { LiveRuns } from "../../runs/live-runs.ts";
import type { Tool } from "../toolbox.ts";
import { defineWorkspaceTool, plainResult } from "./workspace-tool.ts";

export interface TodoDeps {
  readonly live: Pick<LiveRuns, "publish">;
}

const MAX_ITEMS = 50;
const MARKS = { done: "x", active: ">", open: " " } as const;

export function todoTool({ live }: TodoDeps): Tool {
  return defineWorkspaceTool({
    name: "todo",
    description:
      "Keeps your list of what is to be done. Give the whole list each time, with one item active.",
    input: {
      items: Type.Array(
        Type.Object(
          {
            text: Type.String({ minLength: 1, maxLength: 300 }),
            state: Type.Union([Type.Literal("open"), Type.Literal("active"), Type.Literal("done")]),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: MAX_ITEMS },
      ),
    },
    call({ items }, { runId }) {
      const done = items.filter(({ state }) => state === "done").length;
      const active = items.find(({ state }) => state === "active") ?? items.at(-1);
      const percent = Math.round((done / items.length) * 100);
      live.publish(runId, { type: "progress", text: active?.text ?? "", percent });
      const lines = items.map(({ text, state }) => `[${MARKS[state]}] ${text}`);
      return Promise.resolve(plainResult(lines.join("\n")));
    },
  });
}
