/**
 * One turn with one Claude process: says the prompt, passes on what is heard, asks people for what needs them, and
 * ends once. Whatever way it is left, every tool that was called has been answered for, and Claude Code is idle
 * again or on its way out.
 */
import { setTimeout } from "node:timers/promises";
import type { PresetPlace } from "../../process/workspace-preset.ts";
import type { TurnEvent, TurnHost } from "../../turn/agent-runtime.ts";
import { createReportedTools, type ReportedTools } from "../../turn/reported-tools.ts";
import { untilAborted } from "../../turn/until-aborted.ts";
import type { Meter } from "../../turn/usage/usage-meter.ts";
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
import { createSteering, type ClaudeSteering } from "./steering.ts";

export interface PlayDeps {
  readonly host: TurnHost;
  readonly meter: Meter;
  readonly nameOf: (seen: string) => string;
  /** Where people are not asked about everything; undefined: they are. */
  readonly presetPlace?: PresetPlace | undefined;
}

/** How it ended; a string is why the process did. `toolless`: it is not over, but cannot go on in this process. */
export type ClaudeTurnResult = ClaudeEnding | { readonly how: "toolless" } | string;

const MAX_QUEUE = 32 * 1024 * 1024;
const INTERRUPT_MS = 2_000;

export async function* playTurn(
  claude: ClaudeProcess,
  prompt: ClaudePrompt,
  { host, nameOf, meter, presetPlace }: PlayDeps,
): AsyncGenerator<TurnEvent, ClaudeTurnResult> {
  const queue = createProcessEventQueue(MAX_QUEUE);
  const calls: Calls = { tools: createReportedTools(), foreign: new Set(), nameOf, meter };
  const { tools, foreign } = calls;
  const permissions = trackPermissions(claude, host, presetPlace);
  using steering = createSteering(claude, host);
  let isIdle = false;
  let isToolless = false;
  claude.listen((event) => queue.push(event));
  try {
    if (!claude.isUsable) return await claude.ended;
    claude.say(prompt);
    for (;;) {
      const event = await untilAborted(host.signal, queue.next());
      if (event.type === "ended" && isGoingOn(event, steering)) continue;
      if (event.type === "ended" || event.type === "gone") {
        isIdle = event.type === "gone" || event.isAtWork !== true;
        yield* tools.settle("The turn ended");
        yield meter.reading();
        return event.type === "gone" ? event.why : event.ending;
      }
      if (event.type === "permission.wanted") permissions.open(event);
      else if (event.type === "permission.settled") permissions.close(event.id);
      else if (event.type === "tools.lost") isToolless = true;
      else if (event.type === "heard") steering.heard(event.text);
      else {
        if (event.type === "tool.called") steering.take();
        yield* eventsOf(event, calls);
      }
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
    // What it has not taken in yet it would answer in the middle of the next turn.
    if (steering.isWaiting) void claude.stop();
    claude.listen(undefined);
  }
}

/** Whether it goes on with what people have added: it has been told already, or is told now. */
function isGoingOn(
  { ending, isAtWork }: Extract<ProcessEvent, { readonly type: "ended" }>,
  steering: ClaudeSteering,
): boolean {
  if (isAtWork === true || ending.how === "interrupted") return false;
  if (ending.how === "completed") steering.take();
  return steering.isWaiting;
}

const UNKNOWN_EFFECT = " It is unknown whether the call took effect; check before you repeat it.";

interface Calls extends Pick<PlayDeps, "nameOf" | "meter"> {
  readonly tools: ReportedTools;
  /** Calls of tools that are not ours and have not returned. */
  readonly foreign: Set<string>;
}

type Apart = "ended" | "gone" | "heard" | "permission.wanted" | "permission.settled" | "tools.lost";
type TurnNews = Exclude<ProcessEvent, { type: Apart }>;

function* eventsOf(
  event: TurnNews,
  { tools, foreign, nameOf, meter }: Calls,
): Generator<TurnEvent> {
  switch (event.type) {
    case "text":
    case "thinking":
      meter.wrote(event.delta);
      yield event;
      return;
    case "tool.called":
      if (nameOf(event.name) === event.name) foreign.add(event.id);
      yield* tools.tell(tools.called(event.id, nameOf(event.name), event.input));
      return;
    case "tool.returned":
      foreign.delete(event.id);
      yield* tools.tell(tools.returned(event.id, event.text, event.isError));
      return;
    case "usage":
      if (meter.counted(event.usage)) yield meter.reading();
      return;
    case "retrying":
      yield event;
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

function trackPermissions(claude: ClaudeProcess, host: TurnHost, place: PresetPlace | undefined) {
  const open = new Map<string, AbortController>();
  const close = (id: string): void => {
    const own = open.get(id);
    open.delete(id);
    own?.abort();
  };
  return {
    get isWaiting(): boolean {
      return open.size > 0;
    },
    open(wanted: PermissionPrompt): void {
      const own = new AbortController();
      open.set(wanted.id, own);
      const answer = async (): Promise<void> => {
        const decided = decide(host, wanted, own.signal, place);
        const decision = await decided.catch(() => NOBODY_ASKED);
        if (open.delete(wanted.id)) claude.permit(wanted.id, decision);
      };
      void answer();
    },
    close,
    closeAll(): void {
      for (const id of open.keys()) close(id);
    },
  };
}

const NOBODY_ASKED: PermissionDecision = {
  behavior: "deny",
  message: "Nobody could be asked for this permission, so it was not allowed.",
};
