/** Codex, as it comes from npm, by its app-server: what every agent program must do. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import type { AgentProgram } from "../kit/agent-stage.ts";
import {
  addCodexServer,
  CODEX_BASE,
  KEY,
  openCodexModel,
  providerConfig,
} from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";

function codex(path: string): AgentProgram {
  return {
    name: "codex",
    base: CODEX_BASE,
    settings: { type: "codex", command: path },
    async openModel(answer, home) {
      const model = await openCodexModel(answer);
      const codexHome = join(home, ".codex");
      mkdirSync(codexHome);
      writeFileSync(join(codexHome, "config.toml"), providerConfig(model.baseUrl));
      return {
        env: { CODEX_HOME: codexHome, FAKE_KEY: KEY },
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
    addServer: addCodexServer,
  };
}

function patch(path: string, text: string): string {
  const added = text
    .trimEnd()
    .split("\n")
    .map((line) => `+${line}\n`);
  return `*** Begin Patch\n*** Add File: ${path}\n${added.join("")}*** End Patch\n`;
}

describeAgentProgram(findCodex(), codex, {
  runs: (cmd) => ({ name: "exec_command", input: { cmd } }),
  lookup: { name: "lookup", namespace: "mcp__atrium" },
  writes: (path, text) => ({
    name: "exec_command",
    input: { cmd: `apply_patch <<'EOF'\n${patch(path, text)}EOF\n` },
  }),
  tide: () => ({ name: "tide", namespace: "mcp__tides" }),
  leavesOut: true,
  secondModel: ["gpt-5.4", "gpt-5.4"],
  asksFor: "commands",
  afterDenial: "goes on",
  resumes: true,
  hasOwnSandbox: true,
  isSteered: true,
  wrapsResults: false,
  skills: "own",
});
