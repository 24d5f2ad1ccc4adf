/** Codex, as it comes from npm, by its app-server: what every agent program must do. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCodexRuntime } from "../../../apps/server/src/agents/codex/codex.ts";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import type { AgentProgram } from "../kit/agent-stage.ts";
import { CODEX_BASE, KEY, openCodexModel, providerConfig } from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";

function codex(path: string): AgentProgram {
  return {
    name: "codex",
    base: CODEX_BASE,
    command: [path],
    createRuntime: ({ cwd, env }, { newSecret, ...deps }) =>
      createCodexRuntime("codex", { command: path, cwd, env }, { ...deps, newMark: newSecret }),
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
  asksFor: "commands",
  afterDenial: "goes on",
  resumes: true,
  isSteered: true,
  wrapsResults: false,
  skills: "own",
});
