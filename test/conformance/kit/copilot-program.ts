/** The real Copilot CLI, for a person who starts it by hand. */
import { join } from "node:path";
import { openChatModel } from "./agent-stage.ts";
import type { HandStartedProgram } from "./joined-stage.ts";

export function copilot(folder: string): HandStartedProgram {
  return {
    command: "copilot",
    call: [process.execPath, join(folder, "npm-loader.js")],
    runs: (command) => ({ name: "bash", input: { command, description: "as told" } }),
    async openModel(answer, home) {
      const model = await openChatModel(answer);
      return {
        env: {
          COPILOT_OFFLINE: "true",
          COPILOT_PROVIDER_BASE_URL: model.baseUrl,
          COPILOT_PROVIDER_API_KEY: "not-a-key",
          COPILOT_MODEL: "test-model",
          COPILOT_HOME: join(home, ".copilot"),
        },
        heard: () => JSON.stringify(model.requests.map(({ body }) => body)),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}
