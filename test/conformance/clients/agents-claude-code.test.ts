/** Claude Code, as it comes from npm, headless: what every agent program must do. */
import { createClaudeCodeRuntime } from "../../../apps/server/src/agents/claude-code/claude-code.ts";
import { withDefaults } from "../../../apps/server/src/agents/claude-code/protocol/claude-settings.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import type { AgentProgram } from "../kit/agent-stage.ts";
import { askedIn, environment } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

function claudeCode(path: string): AgentProgram {
  return {
    name: "claude-code",
    command: [path],
    createRuntime({ cwd, env }, { timers, ...deps }) {
      const written = { command: path, cwd, transport: "headless", env: Object.keys(env) } as const;
      const settings = withDefaults(written, cwd, (name) => env[name]);
      const now = (): number => Date.now();
      return createClaudeCodeRuntime("claude", settings, { ...deps, now, after: timers.after });
    },
    async openModel(answer, home) {
      const model = await openModelServer(({ body }) => {
        const before = JSON.stringify([body.system, body.messages]);
        const whole = JSON.stringify(body);
        return answer({ ...askedIn(body), before, whole });
      });
      const { PATH: _path, TERM: _term, LANG: _lang, ...env } = environment(home, model.baseUrl);
      return {
        env,
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}

describeAgentProgram(findClaudeCode(), claudeCode, {
  runs: (command) => ({ name: "Bash", input: { command, description: "Does it" } }),
  lookup: { name: "mcp__atrium__lookup" },
  writes: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
  asksFor: "commands",
  afterDenial: "goes on",
  resumes: true,
  isSteered: true,
  wrapsResults: false,
  skills: "own",
});
