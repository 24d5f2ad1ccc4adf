/** The adapter of Codex for ACP, as it comes from npm. Its home is not below the temporary folder, where Codex installs no helpers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
import { findAgentProgram } from "../kit/peer.ts";

/** The program itself: the one that npm links is a script that starts it. */
function codexAcp(folder: string): AgentProgram {
  const program = `../codex-acp-${process.platform}-${process.arch}/bin/codex-acp`;
  return {
    name: "codex-acp",
    base: CODEX_BASE,
    settings: { type: "acp", program: "codex-acp", command: [join(folder, program)] },
    async openModel(answer, home) {
      const model = await openCodexModel(answer);
      const codexHome = join(home, ".codex");
      mkdirSync(codexHome);
      writeFileSync(join(codexHome, "config.toml"), providerConfig(model.baseUrl, "gpt-5.4"));
      return {
        env: { CODEX_HOME: codexHome, FAKE_KEY: KEY },
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
    keepInFiles({ FAKE_KEY: key = "", ...env }, home) {
      const file = join(home, ".codex/config.toml");
      const config = readFileSync(file, "utf8");
      const named = config.replace(/^env_key = .*$/m, `experimental_bearer_token = "${key}"`);
      writeFileSync(file, named);
      return env;
    },
    addServer: addCodexServer,
  };
}

describeAgentProgram(findAgentProgram("codex-acp-0.16.0"), codexAcp, {
  // It starts read-only, and asks when its model wants more than that.
  runs: (cmd) => ({
    name: "exec_command",
    input: { cmd, sandbox_permissions: "require_escalated", justification: "May I?" },
  }),
  lookup: { name: "lookup", namespace: "mcp__atrium" },
  writes: null,
  tide: () => ({ name: "tide", namespace: "mcp__tides" }),
  leavesOut: false,
  secondModel: ["gpt-5.2", "gpt-5.2"],
  plans: {
    name: "update_plan",
    input: {
      explanation: "Tides",
      plan: [
        { step: "Look", status: "completed" },
        { step: "Note", status: "in_progress" },
      ],
    },
  },
  asksFor: "commands",
  afterDenial: "ends",
  resumes: true,
  isSteered: true,
  saysLogin: true,
  wrapsResults: true,
  skills: "tool",
  countsContext: true,
});
