/** Qwen Code, as it comes from npm, over ACP. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import { addServerTo, openChatModel, type AgentProgram } from "../kit/agent-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

function qwen(folder: string): AgentProgram {
  return {
    name: "qwen",
    settings: {
      type: "acp",
      program: "qwen",
      command: [process.execPath, join(folder, "cli-entry.js"), "--acp"],
    },
    async openModel(answer, home) {
      const model = await openChatModel(answer);
      const offered = ["test-model", "other-model"].map((id) => {
        return { id, name: id, baseUrl: model.baseUrl, envKey: "OPENAI_API_KEY" };
      });
      mkdirSync(join(home, ".qwen"));
      const settings = { modelProviders: { openai: offered } };
      writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(settings));
      return {
        env: {
          OPENAI_API_KEY: "sk-not-a-key",
          OPENAI_BASE_URL: model.baseUrl,
          OPENAI_MODEL: "test-model",
        },
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
    keepInFiles(env, home) {
      mkdirSync(join(home, ".qwen"), { recursive: true });
      const settings = { env, security: { auth: { selectedType: "openai" } } };
      writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(settings));
      return {};
    },
    addServer: (home, name, server) =>
      addServerTo(join(home, ".qwen/settings.json"), "mcpServers", name, server),
  };
}

describeAgentProgram(findAgentProgram("qwen-code-0.24.4"), qwen, {
  runs: (command) => ({
    name: "run_shell_command",
    input: { command, description: "Does it", is_background: false },
  }),
  lookup: { name: "mcp__atrium__lookup" },
  writes: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
  tide: () => ({ name: "mcp__tides__tide" }),
  leavesOut: true,
  secondModel: ["other-model", "other-model"],
  asksFor: "commands",
  afterDenial: "ends",
  resumes: true,
  skills: "tool",
  isSteered: true,
  saysLogin: true,
  wrapsResults: true,
  hasTerminal: true,
});
