/**
 * One turn with one Claude process: says the prompt, passes on what is heard, asks people for what needs them, and
 * ends once. Whatever way it is left, every tool that was called has been answered for, and Claude Code is idle
 * again or on its way out.
 */
import { setTimeout } from "node:timers/promises";
import type { TurnEvent, TurnHost } from "../../turn/agent-runtime.ts";
import { untilAborted } from "../../turn/until-aborted.ts";
import type { Meter } from "../../turn/usage-meter.ts";
import type {
  ClaudeEnding,
  ClaudeProcess,
  ClaudePrompt,
  PermissionDecision,
  ProcessEvent,
  PermissionPrompt,
} from "../protocol/claude-process.ts";
import { decide } from "../protocol/permission.ts";
import { createProcessEventQueue, type ProcessEventQueue } from "./process-event-queue.ts";

export interface PlayDeps {
  readonly host: TurnHost;
  readonly meter: Meter;
  /** Our own names of tools, from the names Claude Code has for them. */
  readonly nameOf: (seen: string) => string;
}

/** How it ended; a string is why the process did. `toolless`: it is not over, but cannot go on in this process. */
export type ClaudeTurnResult = ClaudeEnding | { readonly how: "toolless" } | string;

/** How much may wait for a slow turn. */
const MAX_QUEUE = 32 * 1024 * 1024;
/** How long Claude Code may take to stop by itself. */
const INTERRUPT_MS = 2_000;

export async function* playTurn(
  claude: ClaudeProcess,
  prompt: ClaudePrompt,
  { host, nameOf, meter }: PlayDeps,
): AsyncGenerator<TurnEvent, ClaudeTurnResult> {
  const queue = createProcessEventQueue(MAX_QUEUE);
  const tools = createOpenTools(nameOf);
  const desk = openPermissionDesk(claude, host);
  let isIdle = false;
  let isToolless = false;
  claude.listen((heard) => queue.push(heard));
  try {
    if (!claude.isUsable) return await claude.ended;
    claude.say(prompt);
    for (;;) {
      const heard = await untilAborted(host.signal, queue.next());
      if (heard.type === "ended" || heard.type === "gone") {
        isIdle = heard.type === "gone" || heard.isAtWork !== true;
        yield* tools.answerAll("The turn ended before it answered.");
        yield meter.reading();
        return heard.type === "gone" ? heard.why : heard.ending;
      }
      if (heard.type === "permission.wanted") desk.open(heard);
      else if (heard.type === "permission.settled") desk.close(heard.id);
      else if (heard.type === "tools.lost") isToolless = true;
      else yield* eventsOf(heard, tools, meter);
      // Not in the middle of a command: nobody could say how much of it was done.
      if (!isToolless || tools.isAtWork || desk.isWaiting) continue;
      yield* tools.answerAll(LOST);
      return { how: "toolless" };
    }
  } catch (cause) {
    if (!host.signal.aborted) throw cause;
    yield* tools.answerAll("The turn was stopped before it answered.");
    yield meter.reading();
    return { how: "interrupted" };
  } finally {
    desk.closeAll();
    if (!isIdle && claude.isUsable) await interrupt(claude, queue);
    claude.listen(undefined);
  }
}

const LOST = "The connection to the tool was lost. It is not known whether it took effect.";

type Apart = "ended" | "gone" | "permission.wanted" | "permission.settled" | "tools.lost";
type Told = Exclude<ProcessEvent, { type: Apart }>;

function* eventsOf(heard: Told, tools: OpenTools, meter: Meter): Generator<TurnEvent> {
  switch (heard.type) {
    case "text":
    case "thinking":
      meter.wrote(heard.delta);
      yield heard;
      return;
    case "tool.called":
      yield* tools.call(heard);
      return;
    case "tool.returned":
      yield* tools.answer(heard);
      return;
    case "usage":
      if (meter.counted(heard.usage)) yield meter.reading();
      return;
    case "retrying":
      yield heard;
  }
}

/** Waits until Claude Code has stopped what it was doing; if it does not, or cannot go on, it is ended. */
async function interrupt(claude: ClaudeProcess, queue: ProcessEventQueue): Promise<void> {
  claude.interrupt();
  const late = new AbortController();
  const isQuiet = async (): Promise<boolean> => {
    for (;;) {
      const { type } = await queue.next();
      if (type === "ended" || type === "gone") return true;
    }
  };
  const tooLate = setTimeout(INTERRUPT_MS, false, { signal: late.signal }).catch(() => false);
  const hasStopped = await Promise.race([isQuiet(), tooLate]);
  late.abort();
  // Not waited for: whoever needs the process next waits for its end.
  if (!hasStopped || !claude.survivesInterrupt) void claude.stop();
}

interface PermissionDesk {
  readonly isWaiting: boolean;
  open(wanted: PermissionPrompt): void;
  close(id: string): void;
  closeAll(): void;
}

/** What people are being asked. A question that is settled elsewhere is withdrawn. */
function openPermissionDesk(claude: ClaudeProcess, host: TurnHost): PermissionDesk {
  const asked = new Map<string, AbortController>();
  return {
    get isWaiting() {
      return asked.size > 0;
    },
    open(wanted) {
      const own = new AbortController();
      asked.set(wanted.id, own);
      const answer = async (): Promise<void> => {
        const decision = await decide(host, wanted, own.signal).catch(() => NOBODY_ASKED);
        if (asked.delete(wanted.id)) claude.permit(wanted.id, decision);
      };
      void answer();
    },
    close(id) {
      const own = asked.get(id);
      asked.delete(id);
      own?.abort();
    },
    closeAll() {
      for (const id of asked.keys()) this.close(id);
    },
  };
}

const NOBODY_ASKED: PermissionDecision = {
  behavior: "deny",
  message: "The question could not be put to anyone.",
};

interface OpenTools {
  /** Whether one that is not ours is under way. */
  readonly isAtWork: boolean;
  call(called: Extract<ProcessEvent, { type: "tool.called" }>): Generator<TurnEvent>;
  answer(returned: Extract<ProcessEvent, { type: "tool.returned" }>): Generator<TurnEvent>;
  answerAll(text: string): Generator<TurnEvent>;
}

/** Every call once, and one answer to each. */
function createOpenTools(nameOf: (seen: string) => string): OpenTools {
  const seen = new Set<string>();
  const open = new Map<string, string>();
  return {
    get isAtWork() {
      return [...open.values()].some((name) => nameOf(name) === name);
    },
    *call({ id, name, input }) {
      if (seen.has(id)) return;
      seen.add(id);
      open.set(id, name);
      yield { type: "tool.called", id, name: nameOf(name), input };
    },
    *answer({ id, text, isError }) {
      if (open.delete(id)) yield { type: "tool.returned", id, text, isError };
    },
    *answerAll(text) {
      for (const id of open.keys()) yield { type: "tool.returned", id, text, isError: true };
      open.clear();
    },
  };
}
