/**
 * One turn with one Claude process: says the prompt, passes on what is heard, asks people for what needs them, and
 * ends once. Whatever way it is left, every tool that was called has been answered for, and Claude Code is idle
 * again or on its way out.
 */
import { setTimeout } from "node:timers/promises";
import type { TurnEvent, TurnHost } from "../../turn/agent-runtime.ts";
import { createReportedTools, type ReportedTools } from "../../turn/reported-tools.ts";
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
  readonly nameOf: (seen: string) => string;
}

/** How it ended; a string is why the process did. `toolless`: it is not over, but cannot go on in this process. */
export type ClaudeTurnResult = ClaudeEnding | { readonly how: "toolless" } | string;

const MAX_QUEUE = 32 * 1024 * 1024;
const INTERRUPT_MS = 2_000;

export async function* playTurn(
  claude: ClaudeProcess,
  prompt: ClaudePrompt,
  { host, nameOf, meter }: PlayDeps,
): AsyncGenerator<TurnEvent, ClaudeTurnResult> {
  const queue = createProcessEventQueue(MAX_QUEUE);
  const calls: Calls = { tools: createReportedTools(), foreign: new Set(), nameOf, meter };
  const { tools, foreign } = calls;
  const permissions = trackPermissions(claude, host);
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
        yield* tools.settle("The turn ended");
        yield meter.reading();
        return heard.type === "gone" ? heard.why : heard.ending;
      }
      if (heard.type === "permission.wanted") permissions.open(heard);
      else if (heard.type === "permission.settled") permissions.close(heard.id);
      else if (heard.type === "tools.lost") isToolless = true;
      else yield* eventsOf(heard, calls);
      // Not in the middle of a command: nobody could say how much of it was done.
      if (!isToolless || foreign.size > 0 || permissions.isWaiting) continue;
      yield* tools.settle("The connection to Atrium was lost", UNKNOWN_EFFECT);
      return { how: "toolless" };
    }
  } catch (cause) {
    if (!host.signal.aborted) throw cause;
    yield* tools.settle("The turn was stopped");
    yield meter.reading();
    return { how: "interrupted" };
  } finally {
    permissions.closeAll();
    if (!isIdle && claude.isUsable) await interrupt(claude, queue);
    claude.listen(undefined);
  }
}

const UNKNOWN_EFFECT = " It is unknown whether the call took effect; check before you repeat it.";

interface Calls extends Pick<PlayDeps, "nameOf" | "meter"> {
  readonly tools: ReportedTools;
  /** Calls of tools that are not ours and have not returned. */
  readonly foreign: Set<string>;
}

type Apart = "ended" | "gone" | "permission.wanted" | "permission.settled" | "tools.lost";
type TurnNews = Exclude<ProcessEvent, { type: Apart }>;

function* eventsOf(
  heard: TurnNews,
  { tools, foreign, nameOf, meter }: Calls,
): Generator<TurnEvent> {
  switch (heard.type) {
    case "text":
    case "thinking":
      meter.wrote(heard.delta);
      yield heard;
      return;
    case "tool.called":
      if (nameOf(heard.name) === heard.name) foreign.add(heard.id);
      yield* tools.called(heard.id, nameOf(heard.name), heard.input);
      return;
    case "tool.returned":
      foreign.delete(heard.id);
      yield* tools.returned(heard.id, heard.text, heard.isError);
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

function trackPermissions(claude: ClaudeProcess, host: TurnHost) {
  const asked = new Map<string, AbortController>();
  const close = (id: string): void => {
    const own = asked.get(id);
    asked.delete(id);
    own?.abort();
  };
  return {
    get isWaiting(): boolean {
      return asked.size > 0;
    },
    open(wanted: PermissionPrompt): void {
      const own = new AbortController();
      asked.set(wanted.id, own);
      const answer = async (): Promise<void> => {
        const decision = await decide(host, wanted, own.signal).catch(() => NOBODY_ASKED);
        if (asked.delete(wanted.id)) claude.permit(wanted.id, decision);
      };
      void answer();
    },
    close,
    closeAll(): void {
      for (const id of asked.keys()) close(id);
    },
  };
}

const NOBODY_ASKED: PermissionDecision = {
  behavior: "deny",
  message: "Nobody could be asked for this permission, so it was not allowed.",
};
