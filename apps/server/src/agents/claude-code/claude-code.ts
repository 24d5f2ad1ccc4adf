/**
 * The claude-code runtime: turns of a conversation are turns of one Claude session.
 *
 *   turn -> slot of the conversation -> its process (started, resumed, or as it is) -> converse -> one end
 *
 * Claude Code keeps the history; we only say what is new. A process that dies takes its turn with it, and the next
 * one resumes the session.
 */
import { terminalProgram } from "../terminal/terminal-program.ts";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { unreadNote } from "../turn/attachments.ts";
import { secretsIn, withoutSecrets } from "../turn/redact.ts";
import { redactingHost } from "../turn/redacting-host.ts";
import { ABORTED, failed } from "../turn/turn-ends.ts";
import { preflight } from "./process/preflight.ts";
import { ProcessPool } from "./process/process-pool.ts";
import { claudeSessionId } from "./protocol/claude-session-id.ts";
import { isTerminal, type ClaudeSettings } from "./protocol/claude-settings.ts";
import { terminalArgs } from "./protocol/command-line.ts";
import { isReadable } from "./protocol/prompt-content.ts";
import { createStarter, launchOf, type StarterDeps } from "./transports/starter.ts";
import { converse, type Conversing } from "./turn/converse.ts";

export type ClaudeDeps = Omit<StarterDeps, "settings">;

const CONTEXT_TOKENS = 200_000;

export function createClaudeCodeRuntime(
  name: string,
  settings: ClaudeSettings,
  deps: ClaudeDeps,
): AgentRuntime & { close(): Promise<void> } {
  const pool = new ProcessPool(settings, deps);
  const starter = createStarter({ ...deps, settings });
  return {
    name,
    type: "claude-code",
    hasFileTools: true,
    model: {
      provider: "claude-code",
      id: settings.model ?? "default",
      contextTokens: CONTEXT_TOKENS,
    },
    async *start(turn, host) {
      try {
        host.signal.throwIfAborted();
        const secrets = new Set(secretsIn(settings.env));
        const events = serve(
          settings,
          { pool, starter, now: deps.now, secrets, permissionsOf: deps.permissionsOf },
          turn,
          redactingHost(host, secrets),
        );
        yield* withoutSecrets(secrets, events);
      } catch (cause) {
        if (!host.signal.aborted) throw cause;
        yield ABORTED;
      }
    },
    isReleasable: async () => (await starter.transport()) !== "bridge",
    async releaseToTerminal(turn, signal) {
      const transport = await starter.transport();
      if (transport === "bridge") return "Its program is not started with a terminal.";
      await pool.vacate(claudeSessionId(turn.conversation), signal);
      const launch = launchOf({ ...deps, settings }, { turn, transport, tools: [] }, true);
      return terminalProgram([launch.command, ...terminalArgs(launch)], launch.cwd, settings.env);
    },
    async close() {
      await pool.close();
      await starter.close();
    },
  };
}

async function* serve(
  settings: ClaudeSettings,
  serving: Omit<Conversing, "transport">,
  turn: Turn,
  host: TurnHost,
): AsyncGenerator<TurnEvent, void> {
  const { command, env, isByHand } = settings;
  const cwd = turn.workspace?.folder ?? settings.cwd;
  const problem = isByHand ? undefined : await preflight(command, cwd, env["PATH"]);
  if (problem !== undefined) return void (yield failed("unavailable", problem));
  const transport = await serving.starter.transport();
  const conversing = { ...serving, transport };
  const { pool } = serving;
  // Over the bridge whatever came with a message is handed on as a file.
  const unread =
    transport === "bridge"
      ? []
      : turn.attachments.filter((one) => !isReadable(one, isTerminal(transport)));
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  const { slot, release } = await pool.hold(claudeSessionId(turn.conversation), host.signal);
  try {
    yield* converse(conversing, slot, turn, host);
  } finally {
    release();
  }
}
