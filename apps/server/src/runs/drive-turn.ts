/**
 * Drives one turn through its runtime, from the first event to the one that ends it.
 *
 * Words go to whoever listens; tool calls are written down before the turn goes on; spend is watched.
 * Whatever the runtime does (ends twice, never, or throws), the turn has exactly one ending here.
 */
import type { Compacted, Ending, Usage } from "@atrium/core";
import { Fault } from "@atrium/core";
import { cutDepths } from "@atrium/wire";
import type {
  AgentRuntime,
  PermissionAnswer,
  PermissionRequest,
  ToolDeclaration,
  ToolResult,
  Turn,
  TurnEvent,
  TurnHost,
  TurnInbound,
  TurnQuestion,
} from "../agents/turn/agent-runtime.ts";
import { TurnStop } from "../agents/turn/turn-stop.ts";
import { cutInput } from "./call-record/cut-input.ts";
import type { LiveEvent } from "./live-runs.ts";
import { createQuestionQuota } from "./question-quota.ts";
import type { SpendBrakes } from "./spend-brakes.ts";

export interface TurnPorts {
  readonly tools: readonly ToolDeclaration[];
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  after(ms: number, run: () => void): () => void;
  callTool(name: string, input: unknown, signal: AbortSignal, callId?: string): Promise<ToolResult>;
  ask(question: TurnQuestion, signal: AbortSignal): Promise<string | null>;
  requestPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
  takeSteering(): readonly TurnInbound[];
  /** Tells whenever there may be something to take, until what it returns is called. */
  onSteering(listener: () => void): () => void;
  publish(event: LiveEvent): void;
  /** Resolves once it is written down. */
  noteCall(id: string, name: string, input: unknown): Promise<void>;
  noteReturn(id: string, result: ToolResult): Promise<void>;
  noteCompaction(compacted: Compacted): Promise<void>;
  noteSession(session: string): Promise<void>;
  keepArtifact(name: string, mediaType: string, text: string): Promise<void>;
  report(fault: Fault): void;
}

export interface DrivenTurn {
  readonly text: string;
  readonly usage: Usage;
  readonly ending: Ending;
}

/** How long a runtime may take to notice that it was stopped. */
const LET_GO_MS = 5_000;
export const GO_ON = "Continue";
export const STOP = "Stop";

export async function driveTurn(
  runtime: AgentRuntime,
  turn: Turn,
  brakes: SpendBrakes,
  world: TurnPorts,
  signal: AbortSignal,
): Promise<DrivenTurn> {
  let text = "";
  let ending: Ending | undefined;
  const events = pull(runtime, turn, hostOf(world, turn, signal), signal, world);
  try {
    ending = await payUp(brakes.check(), brakes, world, signal);
    while (ending === undefined) {
      const next = await events.next();
      if (next === undefined) break;
      const event = readable(next);
      if (event.type === "text") text += event.delta;
      ending = await take(event, world);
      ending ??= await payUp(brakes.see(event), brakes, world, signal);
    }
  } catch (cause) {
    ending = failureOf(cause, turn, signal, world);
  } finally {
    await events.close();
  }
  const stopped = stopOf(signal);
  ending = stopped ?? ending ?? unfinished;
  const note = cutOffNote(ending);
  if (note !== undefined) {
    const delta = text === "" ? note : `\n\n${note}`;
    world.publish({ type: "text", delta });
    text += delta;
  }
  return { text, usage: brakes.usage, ending };
}

const BROKE_DOWN = "The agent broke down. The server's journal (atrium.log) says why.";
const unfinished: Ending = {
  how: "failed",
  kind: "unknown",
  reason: "The agent stopped without saying how the turn ended.",
};

/** An answer that was cut off looks like any other; whoever reads it, the next turn too, must know. */
function cutOffNote(ending: Ending): string | undefined {
  if (ending.how === "failed" && ending.kind === "budget") return `[Cut off: ${ending.reason}]`;
  if (ending.how !== "completed") return undefined;
  if (ending.stopReason === "length") {
    return "[Cut off: the answer reached the longest that is allowed. What is missing has not been said.]";
  }
  if (ending.stopReason === "max_steps") {
    return "[Cut off: the turn reached the most steps that are allowed. Its work may not be finished.]";
  }
  return undefined;
}

/** What is called goes into the log, and whoever reads that must be able to. */
function readable(event: TurnEvent): TurnEvent {
  return event.type === "tool.called"
    ? { ...event, input: cutInput(cutDepths(event.input)) }
    : event;
}

async function take(event: TurnEvent, world: TurnPorts): Promise<Ending | undefined> {
  switch (event.type) {
    case "text":
    case "thinking":
    case "usage":
    case "progress":
    case "retrying":
      world.publish(event);
      return undefined;
    case "tool.output":
      world.publish({ type: "output", callId: event.id, text: event.text });
      return undefined;
    case "tool.called":
      await world.noteCall(event.id, event.name, event.input);
      return undefined;
    case "tool.returned": {
      const { type: _type, id, ...result } = event;
      await world.noteReturn(id, result);
      return undefined;
    }
    case "compacted": {
      const { type: _type, ...compacted } = event;
      await world.noteCompaction(compacted);
      world.publish({ type: "progress", text: describeCompaction(compacted) });
      return undefined;
    }
    case "session":
      await world.noteSession(event.id);
      return undefined;
    case "artifact":
      await world.keepArtifact(event.name, event.mediaType, event.text);
      return undefined;
    case "completed": {
      const { type: how, ...end } = event;
      return { how, ...end };
    }
    case "failed":
      return { how: "failed", kind: event.kind, reason: event.reason };
  }
}

function describeCompaction({ how, results }: Compacted): string {
  if (how === "hand-over") return "Making room: went on from a hand-over and the last steps";
  return `Making room: shortened ${results} earlier tool ${results === 1 ? "result" : "results"}`;
}

/** A brake that tripped pauses the turn until someone says what to do. */
async function payUp(
  tripped: string | undefined,
  brakes: SpendBrakes,
  world: TurnPorts,
  signal: AbortSignal,
): Promise<Ending | undefined> {
  if (tripped === undefined) return undefined;
  const text = `${tripped} Go on?`;
  const answer = await world.ask({ text, options: [GO_ON, STOP], isClosed: true }, signal);
  if (answer === GO_ON) {
    brakes.release();
    return undefined;
  }
  const decided = answer === null ? "Nobody said to go on." : "It was decided to stop.";
  return { how: "failed", kind: "budget", reason: `${tripped} ${decided}` };
}

function hostOf(world: TurnPorts, { runId }: Turn, signal: AbortSignal): TurnHost {
  const mayAsk = createQuestionQuota();
  const either = (own: AbortSignal | undefined): AbortSignal =>
    own === undefined ? signal : AbortSignal.any([signal, own]);
  return {
    signal,
    tools: world.tools,
    now: () => world.now(),
    sleep: (ms, own) => world.sleep(ms, either(own)),
    callTool: (name, input, own, callId) => world.callTool(name, input, either(own), callId),
    ask: async (question, own) => (mayAsk(runId) ? world.ask(question, either(own)) : null),
    requestPermission: (request, own) => world.requestPermission(request, either(own)),
    takeSteering: () => world.takeSteering().map(({ text }) => text),
    takeMessages: () => world.takeSteering(),
    onSteering: (tell) => world.onSteering(tell),
  };
}

/** The runtime's events, for as long as it keeps its side of the bargain. */
function pull(
  runtime: AgentRuntime,
  turn: Turn,
  host: TurnHost,
  signal: AbortSignal,
  world: TurnPorts,
): { next(): Promise<TurnEvent | undefined>; close(): Promise<void> } {
  let events: AsyncIterator<TurnEvent> | undefined;
  const tooLong = Promise.withResolvers<undefined>();
  let stopWaiting: (() => void) | undefined;
  const giveUpLater = (): void => {
    stopWaiting = world.after(LET_GO_MS, () => tooLong.resolve(undefined));
  };
  signal.addEventListener("abort", giveUpLater, { once: true });
  return {
    async next() {
      if (signal.aborted && events === undefined) return undefined;
      events ??= runtime.start(turn, host)[Symbol.asyncIterator]();
      const result = await Promise.race([events.next(), tooLong.promise]);
      return result === undefined || result.done === true ? undefined : result.value;
    },
    async close() {
      signal.removeEventListener("abort", giveUpLater);
      const closing = Promise.resolve(events?.return?.()).catch(() => undefined);
      const late = Promise.withResolvers<void>();
      const stopClosing = world.after(LET_GO_MS, late.resolve);
      await Promise.race([closing, late.promise]);
      stopClosing();
      stopWaiting?.();
    },
  };
}

/** How a turn ends that was stopped; undefined while it goes on. */
export function stopOf(signal: AbortSignal): Ending | undefined {
  return signal.aborted && signal.reason instanceof TurnStop ? signal.reason.ending : undefined;
}

function failureOf(cause: unknown, turn: Turn, signal: AbortSignal, world: TurnPorts): Ending {
  const stopped = stopOf(signal);
  if (stopped !== undefined) return stopped;
  world.report(new Fault("an agent runtime threw", { runId: turn.runId }, cause));
  return { how: "failed", kind: "unknown", reason: BROKE_DOWN };
}
