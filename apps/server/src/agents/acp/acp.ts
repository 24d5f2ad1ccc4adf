/**
 * The ACP runtime: any agent that speaks the Agent Client Protocol on its standard input and output.
 *
 *   turn -> the conversation's agent (warm, or started) -> session/prompt -> updates -> one end
 *
 * It brings tools of its own, which are only told of, and is given ours through an MCP server; permissions are asked
 * of people; files are read and written for it in its folder only. It is offered no terminal.
 */
import { setImmediate } from "node:timers/promises";
import type { PromptResponse, RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { Timers } from "../../platform/timers.ts";
import { WarmAgentPool, type AgentLease, type OpenAgent } from "../process/agent-pool.ts";
import type { ProgramDeps } from "../process/program.ts";
import { createSkillPlugins } from "../skills/skill-plugin.ts";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { unreadNote } from "../turn/attachments.ts";
import { createEventQueue } from "../turn/event-queue.ts";
import { createReportedTools, type ReportedTools } from "../turn/reported-tools.ts";
import { ABORTED, failed, saidTooMuch } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { createMeter, type Meter } from "../turn/usage-meter.ts";
import { openAcpAgent, type AcpAgent } from "./acp-agent.ts";
import { failureOf } from "./acp-failures.ts";
import { withDefaults, type AcpSettings, type CompleteAcpSettings } from "./acp-settings.ts";
import { programOf } from "./programs.ts";
import { allowOurs, decide, type DecidedOption } from "./session/permission.ts";
import { promptOf, unreadable } from "./session/prompt.ts";
import { createUpdateReader, type UpdateReader } from "./session/session-updates.ts";
import {
  openAcpToolServer,
  type ToolServerDeps,
  type ToolTransport,
} from "./tools/acp-tool-server.ts";

/** How long an agent may take to stop answering before its process is ended. */
const LET_GO_MS = 2_000;

const STOPPED: TurnEvent = { type: "completed", stopReason: "stop" };

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
  deps: ProgramDeps & ToolServerDeps,
): AgentRuntime {
  const { timers } = deps;
  const settings = withDefaults(given);
  const [file = ""] = settings.command;
  const program = programOf(settings.program, settings.command);
  const pool = new WarmAgentPool<AcpAgent>(settings, timers);
  const skillPlugins = createSkillPlugins();
  return {
    name,
    type: "acp",
    hasFileTools: true,
    model: { provider: "acp", id: settings.model ?? file, contextTokens: settings.contextTokens },
    async *start(turn, host) {
      const meter = createMeter(turn);
      const tools = createReportedTools();
      let seat: AgentLease<AcpAgent> | undefined;
      let end: TurnEvent = ABORTED;
      try {
        host.signal.throwIfAborted();
        const agentDeps = {
          ...deps,
          settings,
          program,
          skillPlugins,
          turn,
          host,
          openToolServer: (toolTransport: ToolTransport) =>
            openAcpToolServer(deps, turn, host.tools, { ...program, toolTransport }),
        };
        const open: OpenAgent<AcpAgent> = ({ knownSession, signal }) =>
          openAcpAgent(agentDeps, knownSession, signal);
        const equipment = JSON.stringify([host.tools, turn.skills]);
        const wanted = { place: placeOf(turn), equipment };
        seat = await pool.take(wanted, open, host.signal);
        using _serving = seat.agent.toolServer?.serve(host);
        await untilAborted(host.signal, seat.agent.choose(turn.wishes));
        end = yield* converse(seat.agent, { turn, host, meter, tools, settings, timers });
      } catch (cause) {
        if (!host.signal.aborted) end = failureOf(cause, file, program);
      } finally {
        seat?.release();
      }
      yield* tools.settle("The turn ended");
      yield meter.reading();
      yield host.signal.aborted ? ABORTED : end;
    },
    async close() {
      await pool.close();
      await skillPlugins[Symbol.asyncDispose]();
    },
  };
}

/** Has the agent answer; returns how the turn ends. Afterwards the agent is free, or gone. */
async function* converse(agent: AcpAgent, play: Play): AsyncGenerator<TurnEvent, TurnEvent> {
  const { turn, host, meter, tools, settings } = play;
  const unread = unreadable(turn.attachments, agent.takes);
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  const queue = createEventQueue<TurnEvent>();
  const reader = createUpdateReader(tools, (seen) => agent.toolServer?.calls.nameOf(seen));
  let characters = 0;
  let wasDenied = false;
  const push = (events: readonly TurnEvent[]): void => {
    for (const event of events) {
      characters += sizeOf(event);
      queue.push(event);
    }
    // It is not slowed down by whoever listens, so it must not be let run away.
    if (characters > settings.maxOutputBytes) queue.end();
  };
  const answer = agent.prompt(promptOf(turn, agent), {
    update(update) {
      const used = agent.usage.update(update);
      if (used !== undefined) {
        meter.counted({ inputTokens: 0, outputTokens: 0, ...used });
        push([meter.reading()]);
      }
      push(reader.read(update));
    },
    async decide(request) {
      push(reader.asked(request.toolCall));
      const decision = await decideOnce(request, agent, reader, play);
      if (decision.permission !== "allowed") {
        wasDenied = true;
        reader.denied(request.toolCall.toolCallId);
      }
      return decision.outcome;
    },
    takeSteering: () => (host.signal.aborted ? [] : host.takeSteering()),
  });
  // Updates that came before the answer may still be on their way through the SDK.
  const isOver = answer.then(
    () => setImmediate(true),
    () => true,
  );
  void isOver.then(() => queue.end());
  try {
    for (;;) {
      const event = await untilAborted(host.signal, queue.next());
      if (event === undefined) break;
      if (event.type === "text" || event.type === "thinking") meter.wrote(event.delta);
      yield event;
    }
    const [program = ""] = settings.command;
    if (characters > settings.maxOutputBytes) return saidTooMuch(program, settings.maxOutputBytes);
    const answered = await answer;
    const used = agent.usage.answer(answered);
    if (used !== undefined) meter.counted(used);
    // Some end the turn when they may not do what they wanted.
    if (wasDenied && answered.stopReason === "cancelled") return STOPPED;
    return endOf(answered, program);
  } finally {
    await letGo(agent, isOver, play.timers);
  }
}

/** Our own tools ask people themselves, where that is needed. */
async function decideOnce(
  request: RequestPermissionRequest,
  { toolServer }: AcpAgent,
  reader: UpdateReader,
  { turn, host, settings }: Play,
): Promise<DecidedOption> {
  const known = reader.known(request.toolCall);
  const isOurs = toolServer?.calls.isAsked(request, known) === true;
  const ours = isOurs ? allowOurs(request) : undefined;
  return ours ?? decide(request, known, host, turn.workspace?.folder ?? settings.cwd);
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
      return STOPPED;
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

function sizeOf(event: TurnEvent): number {
  if (event.type === "text" || event.type === "thinking") return event.delta.length;
  if (event.type === "tool.called") return JSON.stringify(event.input).length;
  return event.type === "tool.returned" ? event.text.length : 0;
}

/** A turn that adds to the environment, or works elsewhere, needs a process that has it, or is there. */
function placeOf({ conversation: { key, sessionId }, env, workspace }: Turn): string {
  return JSON.stringify([key, sessionId, env, workspace]);
}
