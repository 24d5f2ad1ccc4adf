/** opencode, as it comes from npm, over ACP. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import { acpRuntime, openChatModel, type AgentProgram } from "../kit/agent-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

/** The program itself: its installer, which we do not run, would put it in the place of a stub. */
function opencode(folder: string): AgentProgram {
  const program = `../opencode-${process.platform}-${process.arch}/bin/opencode`;
  return {
    name: "opencode",
    createRuntime: acpRuntime("opencode"),
    command: [join(folder, program), "acp"],
    async openModel(answer, home) {
      const model = await openChatModel(answer);
      const options = { baseURL: model.baseUrl, apiKey: "sk-not-a-key" };
      const settings = {
        model: "fake/test-model",
        small_model: "fake/test-model",
        autoupdate: false,
        share: "disabled",
        permission: { bash: "ask", edit: "ask" },
        provider: {
          fake: {
            npm: "@ai-sdk/openai-compatible",
            options,
            models: { "test-model": { name: "test-model", tool_call: true } },
          },
        },
      };
      mkdirSync(join(home, ".config/opencode"), { recursive: true });
      writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify(settings));
      return {
        env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}

describeAgentProgram(findAgentProgram("opencode-1.18.33"), opencode, {
  runs: (command) => ({ name: "bash", input: { command, description: "Does it" } }),
  lookup: { name: "atrium_lookup" },
  writes: (filePath, content) => ({ name: "write", input: { filePath, content } }),
  asksFor: "commands",
  afterDenial: "ends",
  resumes: true,
  skills: "own",
  isSteered: true,
  wrapsResults: true,
  hasTerminal: true,
});
