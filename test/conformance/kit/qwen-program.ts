/** Qwen Code as someone starts it in a terminal, with a chat model of the test. */
import { join } from "node:path";
import { openChatModel } from "./agent-stage.ts";
import type { HandStartedProgram } from "./joined-stage.ts";

export function qwen(folder: string): HandStartedProgram {
  return {
    command: "qwen",
    call: [process.execPath, join(folder, "cli-entry.js")],
    runs: (command) => ({
      name: "run_shell_command",
      input: { command, description: "as told", is_background: false },
    }),
    // Its model is shown tools of others only once it has searched for them.
    looksFor: { name: "tool_search", input: { query: "take_task hand_over_task" } },
    callsOurs: (tool, input) => ({
      name: "tool_call",
      input: { name: `mcp__atrium__${tool}`, arguments: input },
    }),
    async openModel(answer) {
      const model = await openChatModel(answer);
      return {
        env: {
          OPENAI_API_KEY: "sk-not-a-key",
          OPENAI_BASE_URL: model.baseUrl,
          OPENAI_MODEL: "test-model",
        },
        heard: () => JSON.stringify(model.requests.map(({ body }) => body)),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}
