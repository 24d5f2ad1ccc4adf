/** Claude Code, as it comes from npm, headless: what every agent program must do. */
import { join } from "node:path";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import { addServerTo, type AgentProgram } from "../kit/agent-stage.ts";
import { askedIn, environment } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

function claudeCode(path: string): AgentProgram {
  return {
    name: "claude-code",
    settings: { type: "claude-code", command: path, transport: "headless" },
    async openModel(answer, home) {
      const model = await openModelServer(({ body }) => {
        const before = JSON.stringify([body.system, body.messages]);
        const whole = JSON.stringify(body);
        return answer({ ...askedIn(body), before, whole, model: body.model });
      });
      const { PATH: _path, TERM: _term, LANG: _lang, ...env } = environment(home, model.baseUrl);
      return {
        env,
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
    addServer: (home, name, server) =>
      addServerTo(join(home, ".claude-config/.claude.json"), "mcpServers", name, server),
  };
}

describeAgentProgram(findClaudeCode(), claudeCode, {
  runs: (command) => ({ name: "Bash", input: { command, description: "Does it" } }),
  lookup: { name: "mcp__atrium__lookup" },
  writes: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
  tide: () => ({ name: "mcp__tides__tide" }),
  leavesOut: true,
  secondModel: ["claude-opus-4-7", "claude-opus-4-7"],
  asksFor: "commands",
  afterDenial: "goes on",
  resumes: true,
  hasOwnSandbox: true,
  isSteered: true,
  wrapsResults: false,
  skills: "own",
});
