import { describeEnd, type Child } from "../../confinement/program/child.ts";
/**
 * The command runtime: a program per turn.
 *
 *   prompt -> standard input, closed          standard output -> text, and JSON lines (said.ts)
 *   answers to its requests -> descriptor 3   standard error  -> the reason, when it fails
 *
 * The program lives as long as the turn and no longer; what it has started ends with it.
 */
import type { Timers } from "../../platform/timers.ts";
import { chunksOf } from "../process/chunks.ts";
import { openProgram, type ProgramDeps } from "../process/program.ts";
import type { ProgramSettings } from "../settings/runtime-settings.ts";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { asText, isText, unreadNote } from "../turn/attachments.ts";
import { createReportedTools, type ReportedTools } from "../turn/reported-tools.ts";
import { ABORTED, closeTurn, failed, saidTooMuch } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { createMeter, type Meter } from "../turn/usage/usage-meter.ts";
import { createReadSaid, type ParseOutputLine, type OutputLine } from "./output-line.ts";
import { createOutputReader } from "./read-output.ts";
import { createRequests, type Requests } from "./requests.ts";

export type CommandSettings = ProgramSettings<"command">;

export const DEFAULT_MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
export const DEFAULT_CONTEXT_TOKENS = 200_000;

interface Play {
  readonly turn: Turn;
  readonly host: TurnHost;
  readonly child: Child;
  readonly meter: Meter;
  readonly tools: ReportedTools;
  readonly requests: Requests;
  readonly readSaid: ParseOutputLine;
  /** Aborted with the turn, or when the program's time is up. */
  readonly signal: AbortSignal;
}

export function createCommandRuntime(
  name: string,
  settings: CommandSettings,
  deps: ProgramDeps,
): AgentRuntime {
  const { timers } = deps;
  const program = settings.command[0] ?? "";
  const readSaid = createReadSaid();
  return {
    name,
    type: "command",
    model: {
      provider: "command",
      id: program,
      contextTokens: settings.contextTokens ?? DEFAULT_CONTEXT_TOKENS,
    },
    async *start(turn, host) {
      const meter = createMeter(turn);
      const tools = createReportedTools();
      const over = new AbortController();
      const deadline = deadlineOf(host, settings.timeoutMs, over.signal);
      const signal = AbortSignal.any([host.signal, deadline]);
      let child: Child | undefined;
      let end: TurnEvent;
      try {
        host.signal.throwIfAborted();
        const env = { ...settings.env, ...namesOf(turn) };
        const opened = await openProgram({ ...settings, env }, { turn, host }, deps);
        if (opened.ok) {
          child = opened.child;
          const requests = createRequests(
            { ...host, signal },
            child,
            turn.workspace?.folder ?? settings.cwd,
          );
          const play = { turn, host, child, meter, tools, requests, readSaid, signal };
          end = yield* converse(play, settings, timers);
        } else {
          end = failed("unavailable", opened.reason);
        }
      } catch (cause) {
        if (!signal.aborted) throw cause;
        end = host.signal.aborted ? ABORTED : tooSlow(program, settings.timeoutMs);
      } finally {
        over.abort();
        await child?.stop();
      }
      yield* closeTurn({ host, meter, tools }, end);
    },
  };
}

async function* converse(
  play: Play,
  { command, maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES }: CommandSettings,
  timers: Timers,
): AsyncGenerator<TurnEvent, TurnEvent> {
  const { turn, child, signal } = play;
  const [program = ""] = command;
  const unread = turn.attachments.filter((attachment) => !isText(attachment));
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  child.stdin.end(inputOf(turn));
  play.requests.introduce(turn);
  const reader = createOutputReader(play.readSaid);
  const chunks = chunksOf(child, timers);
  let bytes = 0;
  for (;;) {
    const { done, value } = await untilAborted(signal, chunks.next());
    if (done === true) break;
    bytes += Buffer.byteLength(value);
    if (bytes > maxOutputBytes) return saidTooMuch(program, maxOutputBytes);
    for (const line of reader.read(value)) {
      const end = yield* take(line, play);
      if (end !== undefined) return end;
    }
  }
  for (const line of reader.finish()) {
    const end = yield* take(line, play);
    if (end !== undefined) return end;
  }
  const end = await untilAborted(signal, child.ended);
  if (end.how === "exited" && end.code === 0) return { type: "completed", stopReason: "stop" };
  return failed("unknown", describeEnd(program, end, child.complaint()));
}

/** Returns how the turn ends, when the program says so. */
async function* take(
  line: OutputLine,
  play: Play,
): AsyncGenerator<TurnEvent, TurnEvent | undefined> {
  const { meter, tools, requests, signal } = play;
  signal.throwIfAborted();
  switch (line.type) {
    case "text":
    case "thinking":
      meter.wrote(line.delta);
      if (line.delta !== "") yield { type: line.type, delta: line.delta };
      return undefined;
    case "usage":
      meter.counted(line);
      yield meter.reading();
      return undefined;
    case "artifact": {
      const { name, mediaType = "text/plain", text } = line;
      yield { type: "artifact", name, mediaType, text };
      return undefined;
    }
    case "tool.called":
      yield* tools.tell(tools.called(line.id, line.name, line.input ?? {}));
      return undefined;
    case "tool.returned":
      yield* tools.tell(tools.returned(line.id, line.text, line.isError ?? false));
      return undefined;
    case "tool":
      yield* requests.useTool(line);
      return undefined;
    case "ask":
      await untilAborted(signal, requests.ask(line));
      return undefined;
    case "approve":
      await untilAborted(signal, requests.approve(line));
      return undefined;
    case "completed":
      return { type: "completed", stopReason: line.stopReason ?? "stop" };
    case "failed":
      return failed(line.kind ?? "unknown", line.reason);
  }
}

function inputOf({ prompt, attachments }: Turn): string {
  return [...attachments.filter(isText).map(asText), prompt].join("\n\n");
}

/** Who is asking for what, for programs that want to know. */
function namesOf({ runId, conversation, agent }: Turn): Record<string, string> {
  return {
    ATRIUM_RUN_ID: runId,
    ATRIUM_CONVERSATION: conversation.key,
    ATRIUM_SESSION_ID: conversation.sessionId,
    ATRIUM_AGENT_ID: agent.id,
    ATRIUM_AGENT_NAME: agent.name,
    ATRIUM_AGENT_ROLE: agent.role,
  };
}

function deadlineOf(host: TurnHost, timeoutMs: number | undefined, over: AbortSignal): AbortSignal {
  const deadline = new AbortController();
  if (timeoutMs !== undefined && !host.signal.aborted) {
    host.sleep(timeoutMs, over).then(
      () => deadline.abort(),
      () => undefined,
    );
  }
  return deadline.signal;
}

function tooSlow(program: string, timeoutMs = 0): TurnEvent {
  return failed(
    "timeout",
    `"${program}" took longer than ${timeoutMs / 1000} s and was stopped. Raise timeoutMs of its runtime to allow more.`,
  );
}
