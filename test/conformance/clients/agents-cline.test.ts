/** Cline, as it comes from npm, once per turn. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClineRuntime } from "../../../apps/server/src/agents/cline/cline.ts";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import { openChatModel, type AgentProgram } from "../kit/agent-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

/** The program itself: its installer, which we do not run, would put it in the place of a stub. */
function cline(folder: string): AgentProgram {
  return {
    name: "cline",
    command: [join(folder, `../@cline/cli-${process.platform}-${process.arch}/bin/cline`)],
    createRuntime: (place, deps) => createClineRuntime("cline", place, deps),
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
  };
}

describeAgentProgram(findAgentProgram("cline-3.0.65"), cline, {
  runs: (command) => ({ name: "run_commands", input: { commands: [command] } }),
  lookup: null,
  writes: null,
  asksFor: "turns",
  afterDenial: "goes on",
  resumes: false,
  skills: "files",
  isSteered: false,
  wrapsResults: false,
});
