/** Gemini CLI, as it comes from npm, over ACP. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openGeminiServer } from "../../kit/gemini-server.ts";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import { addServerTo, askedInContents, type AgentProgram } from "../kit/agent-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

function gemini(folder: string): AgentProgram {
  return {
    name: "gemini",
    settings: {
      type: "acp",
      program: "gemini",
      command: [process.execPath, join(folder, "bundle/gemini.js"), "--acp"],
    },
    async openModel(answer, home) {
      const model = await openGeminiServer((body) => answer(askedInContents(body)));
      mkdirSync(join(home, ".gemini"));
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
      return {
        env: { GEMINI_API_KEY: "not-a-key", GOOGLE_GEMINI_BASE_URL: model.url },
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
    keepInFiles(env, home) {
      const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(join(home, ".gemini/.env"), lines.join(""));
      return {};
    },
    addServer: (home, name, server) =>
      addServerTo(join(home, ".gemini/settings.json"), "mcpServers", name, server),
  };
}

describeAgentProgram(findAgentProgram("gemini-cli-0.61.0"), gemini, {
  runs: (command) => ({ name: "run_shell_command", input: { command, description: "Does it" } }),
  lookup: { name: "mcp_atrium_lookup" },
  writes: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
  tide: (isAtUrl) => ({ name: isAtUrl ? "mcp_tides_tide" : "mcp_atrium_mcp__tides__tide" }),
  leavesOut: true,
  secondModel: ["gemini-2.5-pro", "gemini-2.5-pro"],
  asksFor: "commands",
  afterDenial: "goes on",
  resumes: false,
  skills: "tool",
  isSteered: true,
  saysLogin: true,
  wrapsResults: true,
});
