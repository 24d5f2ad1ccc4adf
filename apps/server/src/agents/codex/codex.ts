/**
 * The Codex runtime: turns of a conversation are turns of one thread of `codex app-server`.
 *
 *   turn -> the conversation's Codex (warm, or started) -> turn/start -> items -> one end
 *
 * Codex keeps the history; we only say what is new. It brings tools of its own, which are only told of, and is given ours
 * through an MCP server; what needs a permission is asked of people. Its commands run in its own sandbox.
 */
import { AgentGone } from "../process/agent-gone.ts";
import { WarmAgentPool, type AgentLease, type OpenAgent } from "../process/agent-pool.ts";
import { presetOf } from "../process/workspace-preset.ts";
import type { WorkspacePermissions } from "../settings/agent-settings.ts";
import { terminalProgram } from "../terminal/terminal-program.ts";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { unreadNote } from "../turn/attachments.ts";
import { secretsIn, withoutSecrets } from "../turn/redact.ts";
import { redactingHost } from "../turn/redacting-host.ts";
import { createReportedTools } from "../turn/reported-tools.ts";
import { ABORTED, closeTurn, failed } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { priceFor } from "../turn/usage/price.ts";
import { createMeter } from "../turn/usage/usage-meter.ts";
import type { CodexProcess } from "./app-server/codex-process.ts";
import { withDefaults, type CodexSettings } from "./app-server/codex-settings.ts";
import { AppServerRefusal } from "./app-server/connection.ts";
import { hasDaemon } from "./app-server/daemon.ts";
import { refusalFailure } from "./app-server/failure.ts";
import { openCodex, type CodexDeps } from "./app-server/open-codex.ts";
import { playTurn } from "./turn/play-turn.ts";
import { unreadable } from "./turn/turn-input.ts";
import { modelOf } from "./turn/wishes.ts";

export function createCodexRuntime(
  name: string,
  given: CodexSettings,
  deps: CodexDeps,
): AgentRuntime {
  const { timers } = deps;
  const settings = withDefaults(given);
  const { command, model = "default", contextTokens } = settings;
  const pool = new WarmAgentPool<CodexProcess>(settings, timers);
  let lastStart: Promise<unknown> = Promise.resolve();

  /** One after another: when several make the database of a new Codex home at the same time, some of them fail. */
  const openInTurn = (turn: Turn, host: TurnHost): OpenAgent<CodexProcess> => {
    return (opening) => {
      const before = lastStart;
      const start = async (): Promise<CodexProcess> => {
        await untilAborted(opening.signal, before);
        return openCodex(settings, { turn, host }, deps, opening);
      };
      const started = start();
      lastStart = Promise.allSettled([before, started]);
      return started;
    };
  };

  async function* serve(
    turn: Turn,
    host: TurnHost,
    secrets: Set<string>,
  ): AsyncGenerator<TurnEvent> {
    const meter = createMeter(turn, priceFor(settings, modelOf(turn.wishes.model)));
    const tools = createReportedTools();
    let seat: AgentLease<CodexProcess> | undefined;
    let end: TurnEvent = ABORTED;
    try {
      host.signal.throwIfAborted();
      const permissions = presetOf(turn, deps.permissionsOf);
      const wanted = wantedBy(turn, host, permissions);
      seat = await pool.take(wanted, openInTurn(turn, host), host.signal);
      const { agent } = seat;
      for (const secret of agent.toolServer.secrets) secrets.add(secret);
      using _serving = agent.toolServer.serve(host);
      const unread = unreadable(turn.attachments);
      if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
      const known = (): readonly string[] => [...secrets, ...(deps.secrets?.() ?? [])];
      const play = { turn, host, meter, tools, settings, permissions, timers, secrets: known };
      end = yield* playTurn(agent, play);
    } catch (cause) {
      if (!host.signal.aborted) end = failureOf(cause, command);
    } finally {
      seat?.release();
    }
    yield* closeTurn({ host, meter, tools }, end);
  }

  return {
    name,
    type: "codex",
    hasFileTools: true,
    model: { provider: "codex", id: model, contextTokens },
    start(turn, host) {
      const secrets = new Set(secretsIn(settings.env));
      return withoutSecrets(secrets, serve(turn, redactingHost(host, secrets), secrets));
    },
    isReleasable: () => true,
    async releaseToTerminal(turn) {
      const session = await pool.vacate(placeOf(turn));
      if (session === undefined) return NO_THREAD;
      const { extraArgs, sandboxMode, env } = settings;
      const alone = (await hasDaemon(env)) ? [] : ALONE;
      const resumed = ["resume", ...alone, `--sandbox=${sandboxMode}`, session];
      const cwd = turn.workspace?.folder ?? settings.cwd;
      return terminalProgram([command, ...extraArgs, ...resumed], cwd, env);
    },
    close: () => pool.close(),
  };
}

/** A turn that adds to the environment, or works elsewhere, needs a process that has it, or is there. */
function wantedBy(
  turn: Turn,
  { tools }: TurnHost,
  permissions: WorkspacePermissions | undefined,
): { place: string; equipment: string } {
  return {
    place: placeOf(turn),
    equipment: JSON.stringify([tools, permissions, turn.skills]),
  };
}

function placeOf({ conversation, env, workspace }: Turn): string {
  return JSON.stringify([conversation.key, conversation.sessionId, env, workspace]);
}

/** Without starting its daemon, which would keep the thread for a while after the terminal has ended. */
const ALONE = ["--disable", "daemon_auto_start"];
const NO_THREAD =
  "Codex has said nothing in it since Atrium was started. Send a message first, then retry.";

function failureOf(cause: unknown, program: string): TurnEvent {
  if (cause instanceof AgentGone) return failed("unavailable", cause.message);
  if (cause instanceof AppServerRefusal) return refusalFailure(program, cause);
  throw cause;
}
