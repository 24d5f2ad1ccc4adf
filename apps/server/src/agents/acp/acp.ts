/**
 * The ACP runtime: any agent that speaks the Agent Client Protocol on its standard input and output.
 *
 *   turn -> the conversation's agent (warm, or started) -> session/prompt -> updates -> one end
 *
 * It brings tools of its own, which are only told of, and is given ours through an MCP server; permissions are asked
 * of people; files are read and written for it in its folder only. It is offered no terminal. Its session is told with
 * the turn, so that the next one resumes it, also after a restart of the server.
 */
import { WarmAgentPool, type AgentLease, type OpenAgent } from "../process/agent-pool.ts";
import { createKnownLogins } from "../process/home/known-logins.ts";
import type { ProgramDeps } from "../process/program.ts";
import type { PermissionsOf } from "../process/workspace-preset.ts";
import { createSkillPlugins } from "../skills/skill-plugin.ts";
import { terminalProgram } from "../terminal/terminal-program.ts";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { createReportedTools } from "../turn/reported-tools.ts";
import { ABORTED, closeTurn } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { priceFor } from "../turn/usage/price.ts";
import { createMeter } from "../turn/usage/usage-meter.ts";
import { openAcpAgent, type AcpAgent } from "./acp-agent.ts";
import { failureOf } from "./acp-failures.ts";
import { withDefaults, type AcpSettings } from "./acp-settings.ts";
import { converse } from "./converse.ts";
import { inTerminal, programOf } from "./launch/programs.ts";
import {
  openAcpToolServer,
  type ToolServerDeps,
  type ToolTransport,
} from "./tools/acp-tool-server.ts";

export interface AcpDeps extends ProgramDeps, ToolServerDeps {
  /** What agents may do in their workspaces without asking. */
  readonly permissionsOf?: PermissionsOf | undefined;
}

export function createAcpRuntime(name: string, given: AcpSettings, deps: AcpDeps): AgentRuntime {
  const { timers } = deps;
  const settings = withDefaults(given);
  const [file = ""] = settings.command;
  const program = programOf(settings.program, settings.command);
  // What a context holds was read again with every call of the model: it is no count of what was used.
  const priced = program.usageOf === "context" ? {} : settings;
  const pool = new WarmAgentPool<AcpAgent>(settings, timers);
  const skillPlugins = createSkillPlugins();
  const logins = createKnownLogins(deps.secretsInUse);
  const home = { name, keeps: program.home, logins };

  const openFor = (turn: Turn, host: TurnHost): OpenAgent<AcpAgent> => {
    const openToolServer = (toolTransport: ToolTransport) =>
      openAcpToolServer(deps, turn, host.tools, { ...program, toolTransport });
    const parts = { settings, program, skillPlugins, home, turn, host, openToolServer };
    const agentDeps = { ...deps, ...parts };
    return ({ knownSession, isAlone, signal }) => {
      const loggedSession = isAlone ? turn.session : undefined;
      return openAcpAgent(agentDeps, knownSession ?? loggedSession, signal);
    };
  };

  return {
    name,
    type: "acp",
    hasFileTools: true,
    model: { provider: "acp", id: settings.model ?? file, contextTokens: settings.contextTokens },
    async *start(turn, host) {
      const meter = createMeter(turn, priceFor(priced, turn.wishes.model));
      const tools = createReportedTools();
      let seat: AgentLease<AcpAgent> | undefined;
      let end: TurnEvent = ABORTED;
      try {
        host.signal.throwIfAborted();
        const equipment = JSON.stringify([host.tools, turn.skills]);
        const wanted = { place: placeOf(turn), equipment };
        seat = await pool.take(wanted, openFor(turn, host), host.signal);
        const { agent } = seat;
        using _serving = agent.toolServer?.serve(host);
        if (agent.isKept && agent.sessionId !== turn.session) {
          yield { type: "session", id: agent.sessionId };
        }
        await untilAborted(host.signal, agent.choose(turn.wishes));
        const { permissionsOf } = deps;
        const play = { turn, host, meter, tools, settings, program, timers, permissionsOf };
        end = yield* converse(agent, play);
      } catch (cause) {
        if (!host.signal.aborted) end = failureOf(cause, file, program, seat?.agent.login);
      } finally {
        seat?.release();
      }
      yield* closeTurn({ host, meter, tools }, end);
    },
    isReleasable: ({ workspace }) => program.resumeArgs !== undefined && workspace === undefined,
    async releaseToTerminal(turn) {
      const known = await pool.vacate(placeOf(turn));
      const session = known ?? turn.session;
      const { resumeArgs } = program;
      if (resumeArgs === undefined) return `"${file}" cannot go on with a session in a terminal.`;
      if (turn.workspace !== undefined) return CONFINED;
      if (session === undefined) return NO_SESSION;
      const command = [...inTerminal(settings.command), ...resumeArgs(session)];
      return terminalProgram(command, settings.cwd, settings.env);
    },
    async close() {
      await pool.close();
      await skillPlugins[Symbol.asyncDispose]();
    },
  };
}

const CONFINED = "Its session is in the sandbox of its workspace.";
const NO_SESSION = "It has no session yet. Send a message first, then retry.";

/** Whether what its user has configured in the program can be left out. */
export function canLeaveOut({
  program,
  command,
}: Pick<AcpSettings, "program" | "command">): boolean {
  return programOf(program, command).ownServers !== undefined;
}

/** A turn that adds to the environment, or works elsewhere, needs a process that has it, or is there. */
function placeOf({ conversation: { key, sessionId }, env, workspace }: Turn): string {
  return JSON.stringify([key, sessionId, env, workspace]);
}
