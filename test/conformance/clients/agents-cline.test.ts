/** Cline, as it comes from npm, once per turn. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import { addServerTo, openChatModel, type AgentProgram } from "../kit/agent-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

/** The program itself: its installer, which we do not run, would put it in the place of a stub. */
function cline(folder: string): AgentProgram {
  return {
    name: "cline",
    settings: {
      type: "cline",
      command: [join(folder, `../@cline/cli-${process.platform}-${process.arch}/bin/cline`)],
    },
    async openModel(answer, home) {
      const model = await openChatModel(answer);
      const provider = "openai-compatible";
      const settings = {
        provider,
        apiKey: "not-a-key",
        model: "test-model",
        baseUrl: model.baseUrl,
      };
      const updatedAt = "2026-11-18T00:00:00.000Z";
      const providers = { [provider]: { settings, updatedAt, tokenSource: "manual" } };
      const file = { version: 1, lastUsedProvider: provider, modes: {}, providers };
      mkdirSync(join(home, ".cline/data/settings"), { recursive: true });
      writeFileSync(join(home, ".cline/data/settings/providers.json"), JSON.stringify(file));
      return {
        env: {},
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
    addServer(home, name, server) {
      const file = join(home, ".cline/data/settings/cline_mcp_settings.json");
      addServerTo(file, "mcpServers", name, server);
    },
  };
}

describeAgentProgram(findAgentProgram("cline-3.0.65"), cline, {
  runs: (command) => ({ name: "run_commands", input: { commands: [command] } }),
  lookup: null,
  writes: null,
  tide: null,
  leavesOut: true,
  secondModel: ["other-model", "other-model"],
  asksFor: "turns",
  afterDenial: "goes on",
  resumes: false,
  skills: "files",
  isSteered: false,
  wrapsResults: false,
});
