/**
 * The ACP runtime: any agent that speaks the Agent Client Protocol on its standard input and output.
 *
 *   turn -> the conversation's agent (warm, or started) -> session/prompt -> updates -> one end
 *
 * It brings tools of its own, which are only told of, and is given ours through an MCP server; permissions are asked
 * of people; files are read and written for it in its folder only. It is offered no terminal.
 */
import { setImmediate } from "node:timers/promises";
import type { PromptResponse, RequestError } from "@agentclientprotocol/sdk";
import type { Timers } from "../../platform/timers.ts";
import { AgentGone } from "../process/agent-gone.ts";
import { WarmAgentPool, type AgentLease, type OpenAgent } from "../process/agent-pool.ts";
import type { ProgramDeps } from "../process/program.ts";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { unreadNote } from "../turn/attachments.ts";
import { createEventQueue } from "../turn/event-queue.ts";
import type { OpenMcpToolServer } from "../turn/mcp-tool-server.ts";
import { createReportedTools, type ReportedTools } from "../turn/reported-tools.ts";
import { ABORTED, failed, saidTooMuch } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { createMeter, type Meter } from "../turn/usage-meter.ts";
import { openAcpAgent, type AcpAgent } from "./acp-agent.ts";
import { withDefaults, type AcpSettings, type CompleteAcpSettings } from "./acp-settings.ts";
import { openAcpToolServer } from "./acp-tool-server.ts";
import { decide } from "./permission.ts";
import { promptOf, unreadable } from "./prompt.ts";
import { costIn } from "./session-cost.ts";
import { createUpdateReader } from "./session-updates.ts";

/** How long an agent may take to stop answering before its process is ended. */
const LET_GO_MS = 2_000;
const AUTH_REQUIRED = -32_000;

interface Play {
  readonly turn: Turn;
  readonly host: TurnHost;
  readonly meter: Meter;
  readonly tools: ReportedTools;
  readonly settings: CompleteAcpSettings;
  readonly timers: Timers;
}

export function createAcpRuntime(
  name: string,
  given: AcpSettings,
  deps: ProgramDeps,
  openMcpToolServer?: OpenMcpToolServer,
): AgentRuntime {
  const { timers } = deps;
  const settings = withDefaults(given);
  const [program = ""] = settings.command;
  const pool = new WarmAgentPool<AcpAgent>(settings, timers);
  return {
    name,
    type: "acp",
    hasFileTools: true,
    model: { provider: "acp", id: program, contextTokens: settings.contextTokens },
    async *start(turn, host) {
      const meter = createMeter(turn);
      const tools = createReportedTools();
      let seat: AgentLease<AcpAgent> | undefined;
      let end: TurnEvent = ABORTED;
      try {
        host.signal.throwIfAborted();
        const open: OpenAgent<AcpAgent> = async ({ knownSession, signal }) => {
          const toolServer = await openAcpToolServer(openMcpToolServer, turn, host.tools);
          return openAcpAgent({ ...deps, settings, turn, host, toolServer }, knownSession, signal);
        };
        const wanted = { place: placeOf(turn), equipment: JSON.stringify(host.tools) };
        seat = await pool.take(wanted, open, host.signal);
        using _serving = seat.agent.toolServer.serve(host);
        end = yield* converse(seat.agent, { turn, host, meter, tools, settings, timers });
      } catch (cause) {
        if (!host.signal.aborted) end = failureOf(cause, program);
      } finally {
        seat?.release();
      }
      yield* tools.settle("The turn ended");
      yield meter.reading();
      yield host.signal.aborted ? ABORTED : end;
    },
    close: () => pool.close(),
  };
}

/** Has the agent answer; returns how the turn ends. Afterwards the agent is free, or gone. */
async function* converse(agent: AcpAgent, play: Play): AsyncGenerator<TurnEvent, TurnEvent> {
  const { turn, host, meter, tools, settings } = play;
  const unread = unreadable(turn.attachments, agent.takes);
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  const queue = createEventQueue<TurnEvent>();
  const read = createUpdateReader(tools);
  let characters = 0;
  const answer = agent.prompt(promptOf(turn, agent), {
    update(update) {
      const cost = costIn(agent.total, update);
      if (cost !== undefined) {
        meter.charged(cost);
        queue.push(meter.reading());
      }
      for (const event of read(update)) {
        characters += sizeOf(event);
        queue.push(event);
      }
      // It is not slowed down by whoever listens, so it must not be let run away.
      if (characters > settings.maxOutputBytes) queue.end();
    },
    decide: (request) =>
      decide(request, host, agent.toolServer, turn.workspace?.folder ?? settings.cwd),
  });
  // Updates that came before the answer may still be on their way through the SDK.
  const answered = answer.then(
    () => setImmediate(true),
    () => true,
  );
  void answered.then(() => queue.end());
  try {
    for (;;) {
      const event = await untilAborted(host.signal, queue.next());
      if (event === undefined) break;
      if (event.type === "text" || event.type === "thinking") meter.wrote(event.delta);
      yield event;
    }
    const [program = ""] = settings.command;
    if (characters > settings.maxOutputBytes) return saidTooMuch(program, settings.maxOutputBytes);
    return endOf(await answer, program);
  } finally {
    await letGo(agent, answered, play.timers);
  }
}

/** Leaves the agent without an answer under way, or without a process. */
async function letGo(agent: AcpAgent, answered: Promise<boolean>, timers: Timers): Promise<void> {
  const isDone = await Promise.race([answered, setImmediate(false)]);
  if (isDone) return;
  agent.cancel();
  const late = Promise.withResolvers<boolean>();
  const cancel = timers.after(LET_GO_MS, () => late.resolve(false));
  const hasStopped = await Promise.race([answered, late.promise]);
  cancel();
  if (!hasStopped) await agent.stop();
}

function endOf({ stopReason }: PromptResponse, program: string): TurnEvent {
  switch (stopReason) {
    case "end_turn":
      return { type: "completed", stopReason: "stop" };
    case "max_tokens":
      return { type: "completed", stopReason: "length" };
    case "max_turn_requests":
      return { type: "completed", stopReason: "max_steps" };
    case "refusal":
      return failed("refusal", `"${program}" declined to go on.`);
    case "cancelled":
      return failed("unknown", `"${program}" stopped without being told to.`);
  }
}

function failureOf(cause: unknown, program: string): TurnEvent {
  if (cause instanceof AgentGone) return failed("unavailable", cause.message);
  if (!isRequestError(cause)) throw cause;
  if (cause.code === AUTH_REQUIRED) {
    const reason = `"${program}" wants to be logged in first. Start it by hand once and log in. (${cause.message})`;
    return failed("unavailable", reason);
  }
  return failed("unknown", `"${program}" failed: ${describeError(cause)}`);
}

/** Read by its fields: its class would have to be loaded to be asked. */
function isRequestError(cause: unknown): cause is RequestError {
  return cause instanceof Error && "code" in cause && typeof cause.code === "number";
}

function describeError({ message, data }: RequestError): string {
  const details =
    typeof data === "object" && data !== null && "details" in data ? data.details : undefined;
  return typeof details === "string" ? `${message}: ${details}` : message;
}

function sizeOf(event: TurnEvent): number {
  if (event.type === "text" || event.type === "thinking") return event.delta.length;
  return event.type === "tool.returned" ? event.text.length : 0;
}

/** A turn that adds to the environment, or works elsewhere, needs a process that has it, or is there. */
function placeOf({ conversation: { key, sessionId }, env, workspace }: Turn): string {
  return JSON.stringify([key, sessionId, env, workspace]);
}
