/** GitHub Copilot CLI, as it comes from npm, over ACP, with a model of our own in place of GitHub's. */
import { join } from "node:path";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import { addServerTo, openChatModel, type AgentProgram } from "../kit/agent-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

function copilot(folder: string): AgentProgram {
  return {
    name: "copilot",
    settings: {
      type: "acp",
      program: "copilot",
      command: [process.execPath, join(folder, "npm-loader.js"), "--acp"],
    },
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
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
    addServer(home, name, server) {
      const written = { type: "local", ...server, tools: ["*"] };
      addServerTo(join(home, ".copilot/mcp-config.json"), "mcpServers", name, written);
    },
  };
}

describeAgentProgram(findAgentProgram("copilot-1.0.102"), copilot, {
  runs: (command) => ({ name: "bash", input: { command, description: "Does it" } }),
  lookup: { name: "atrium-lookup" },
  writes: (path, file_text) => ({ name: "create", input: { path, file_text } }),
  tide: (isAtUrl) => ({ name: isAtUrl ? "tides-tide" : "atrium-mcp__tides__tide" }),
  leavesOut: true,
  secondModel: ["other-model", "other-model"],
  asksFor: "commands",
  afterDenial: "ends",
  resumes: true,
  skills: "own",
  isSteered: true,
  wrapsResults: true,
  hasTerminal: true,
});
