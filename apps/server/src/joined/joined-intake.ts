/**
 * Takes in what the hooks of joined sessions report, and says what each hook answers its program.
 *
 *   report -> who it is (join, describe) -> what it does (activity; the rest is not in the log)
 *          -> what it asks (held until answered) or what was left for it (handed over)
 *
 * Nothing here stops a session: what cannot be taken in is answered with nothing, which leaves the program to itself.
 */
import {
  joinedSession,
  type DeliveryMoment,
  type JoinedSessionCommand,
  type SessionActivity,
  type SessionDetails,
} from "@atrium/core";
import { welcome, type ArrivalDeps } from "./arrivals.ts";
import type { HeldRequests } from "./held-requests.ts";
import {
  MESSAGE_WAIT,
  messageAnswer,
  momentOf,
  verdictAnswer,
  type HookAnswer,
} from "./hook-answer.ts";
import { describeTool, type HookReport } from "./hook-report.ts";
import type { LeftMessages, MessageHandover } from "./left-messages.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { MessageWaits } from "./message-waits.ts";
import type { HookMoment } from "./program.ts";
import type { SessionWaits } from "./session-waits.ts";

export interface JoinedIntakeDeps extends ArrivalDeps {
  readonly live: LiveSessions;
  readonly messages: LeftMessages;
  readonly held: HeldRequests;
  readonly waits: SessionWaits;
  readonly messageWaits: Pick<MessageWaits, "wait">;
  /** Tells a process from any other; undefined when there is none with that number. */
  readonly identityOf: (pid: number) => string | undefined;
}

interface ReplyEnds {
  /** To be called once the program has it. */
  readonly onDelivered: () => Promise<void>;
  /** To be called when it will not have it. */
  readonly onLost: () => void;
}

export interface HookReply extends Partial<ReplyEnds> {
  readonly answer: HookAnswer;
}

/** In words for the model. */
export interface WakingReply extends ReplyEnds {
  readonly text: string;
}

/** The server closes: the hook is to ask again. */
export const ASK_AGAIN = Symbol("ask again");

export interface JoinedIntake {
  /** Undefined: the hook says nothing. `left` is aborted when it is gone. */
  take(report: HookReport, left: AbortSignal): Promise<HookReply | typeof ASK_AGAIN | undefined>;
  /** Holds the hook of an idle session until there is something to wake it with; undefined: it is to go. */
  wait(report: HookReport, left: AbortSignal): Promise<WakingReply | typeof ASK_AGAIN | undefined>;
}

/** Events after which nothing can still be asked that was asked before. */
const TURN_EVENTS: ReadonlySet<string> = new Set(["UserPromptSubmit", "Stop", "StopFailure"]);
const TOOL_ENDS: ReadonlySet<string> = new Set(["PostToolUse", "PostToolUseFailure"]);

export function createJoinedIntake(deps: JoinedIntakeDeps): JoinedIntake {
  const { dispatch, sessions, live, held, messages, waits, messageWaits } = deps;

  const tell = async (id: string, command: JoinedSessionCommand): Promise<boolean> =>
    (await dispatch(joinedSession, id, command)).ok;

  async function leave(id: string): Promise<undefined> {
    await held.settle(id, null);
    await tell(id, { type: "leave", why: "ended" });
    live.forget(id);
    return undefined;
  }

  async function ask(report: HookReport, left: AbortSignal): ReturnType<JoinedIntake["take"]> {
    const { id, program } = report;
    // One that asks here by itself keeps its own dialog, which a hook that waits would close.
    if (!report.canAsk || live.isReachable(id)) return undefined;
    const verdict = await held.hold(report, left);
    if (verdict === undefined && held.isClosing) return ASK_AGAIN;
    // The hook was ended, so the terminal was answered. If that allowed the tool, its result tells; if not, nothing does.
    const activity = verdict === undefined && left.aborted ? "idle" : "working";
    const isSettled = verdict !== undefined || left.aborted;
    const isWaiting = sessions.get(id)?.activity === "waiting" && !held.isAsking(id);
    if (isSettled && isWaiting) await tell(id, { type: "change-activity", activity });
    return verdict && { answer: verdictAnswer(program, verdict) };
  }

  function handOver(report: HookReport, moment: HookMoment): HookReply | undefined {
    const handover = messages.take(report.id);
    return (
      handover && {
        answer: messageAnswer(report, moment, handover.text),
        ...endsOf(handover, moment),
      }
    );
  }

  /** Until something is left for it, or it is to ask anew: that it does tells that it is there. */
  async function awaitMessage(
    report: HookReport,
    left: AbortSignal,
  ): ReturnType<JoinedIntake["take"]> {
    const { id } = report;
    // It may have been left while this was on its way.
    const isLeft = messages.hasWaiting(id) || (await messageWaits.wait(id, left));
    if (held.isClosing) return ASK_AGAIN;
    const reply = isLeft ? handOver(report, "at-once") : undefined;
    if (reply !== undefined) await tell(id, { type: "change-activity", activity: "working" });
    return reply;
  }

  return {
    async take(report, left) {
      const { id, event, tool } = report;
      if (event === "SessionEnd") return leave(id);
      const details = detailsOf(report, sessions.get(id)?.details, deps.identityOf);
      if (!(await welcome(deps, id, details))) return undefined;
      live.hear(id, doingIn(report, deps.mask));
      if (TOOL_ENDS.has(event)) await held.settle(id, tool);
      if (TURN_EVENTS.has(event) && !report.isOfSubagent) await held.settle(id, null);
      const moment = report.isOfSubagent ? undefined : momentOf(report.program, event);
      const reply = moment && handOver(report, moment);
      // What it is told at the end of a turn makes it go on.
      const resumed = reply && ("working" as const);
      const activity = resumed ?? report.activity ?? resumedIn(report, sessions.get(id)?.activity);
      if (activity !== undefined) await tell(id, { type: "change-activity", activity });
      if (event === "PermissionRequest") return ask(report, left);
      const mayWait = event === MESSAGE_WAIT && moment !== undefined && reply === undefined;
      return mayWait ? awaitMessage(report, left) : reply;
    },
    async wait({ id, program }, left) {
      if (!program.canWake) return undefined;
      while (await waits.wait(id, left)) {
        const handover = messages.take(id);
        if (handover === undefined) continue;
        await tell(id, { type: "change-activity", activity: "working" });
        return { text: handover.text, ...endsOf(handover, "wake") };
      }
      return held.isClosing ? ASK_AGAIN : undefined;
    },
  };
}

function endsOf({ confirm, release }: MessageHandover, moment: DeliveryMoment): ReplyEnds {
  return { onDelivered: () => confirm(moment), onLost: release };
}

/** A sub-agent that had to ask goes on; whether the session itself works, it does not tell. */
function resumedIn(
  { event, isOfSubagent }: HookReport,
  before: SessionActivity | undefined,
): SessionActivity | undefined {
  return isOfSubagent && TOOL_ENDS.has(event) && before === "waiting" ? "working" : undefined;
}

function detailsOf(
  report: HookReport,
  before: SessionDetails | undefined,
  identityOf: JoinedIntakeDeps["identityOf"],
): SessionDetails {
  const { pid } = report;
  const servedBy = before?.servedBy;
  const isServed = servedBy !== undefined && isRunning(servedBy, identityOf);
  return {
    program: report.program.id,
    model: report.model ?? before?.model ?? null,
    owner: report.owner ?? before?.owner ?? null,
    folder: report.folder ?? before?.folder ?? null,
    branch: report.branch ?? before?.branch ?? null,
    process: (pid === null ? undefined : identityOf(pid)) ?? before?.process ?? null,
    ...(isServed && { servedBy }),
    canAsk: report.canAsk,
  };
}

function isRunning(process: string, identityOf: JoinedIntakeDeps["identityOf"]): boolean {
  return identityOf(Number.parseInt(process, 10)) === process;
}

/** Undefined: the event does not tell. */
function doingIn(
  { event, tool, isOfSubagent }: HookReport,
  mask: JoinedIntakeDeps["mask"],
): string | null | undefined {
  if (isOfSubagent) return undefined;
  if (event === "PreToolUse" || event === "PermissionRequest") {
    return tool === null ? undefined : describeTool(tool, mask);
  }
  return TOOL_ENDS.has(event) || TURN_EVENTS.has(event) ? null : undefined;
}
