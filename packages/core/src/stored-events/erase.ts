/**
 * What is left of a conversation that was deleted: that it was, when, who and what it cost; not a word of it.
 *
 * Events keep their shapes, so that everything folds as before; the texts in them are empty. What was asked of people
 * for its sake (approvals, questions), the build it was of, polls held in it, and what tools and nodes gave back to it go
 * the same way. A rule that was given for ever in it is void: what it covered can no longer be read.
 */
import type { Entry, Rewrite } from "@atrium/log";
import { approval, type ApprovalEvent, type ApprovalSubject } from "../approval/approval.ts";
import { build } from "../build/build.ts";
import type { BuildEvent, BuildFeedEvent } from "../build/events.ts";
import type { BuildWait, WaitOutcome } from "../build/waits.ts";
import { conversation } from "../conversation/conversation.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { idIn } from "../engine/dispatch.ts";
import { invocation, type InvocationEvent } from "../node/invocation.ts";
import { poll, type PollEvent } from "../poll/poll.ts";
import { question, type QuestionEvent } from "../question/question.ts";
import { toolCall, type ToolCallEvent } from "../tool-call/tool-call.ts";
import { findEventProblem } from "./event-problem.ts";

/** A conversation that was deleted, and the entry that says so. What came later under the same key is another's. */
export interface Deletion {
  readonly key: string;
  readonly seq: number;
  /** It goes on under its settings, without what was said before. */
  readonly isReset: boolean;
}

export interface Blanking {
  take(entry: Entry): Rewrite | undefined;
}

/**
 * Goes through the log once, in order. `take` gives what an entry is to say from now on, or undefined when it belongs to
 * none of the conversations.
 */
export function createBlanking(deletions: readonly Deletion[]): Blanking {
  const [deletedAt, resetAt] = [latestOf(deletions, false), latestOf(deletions, true)];
  const last = Math.max(0, ...deletions.map(({ seq }) => seq));
  const isDeleted = (key: string | null, seq: number): boolean =>
    key !== null && seq < (deletedAt.get(key) ?? 0);
  const isGone = (key: string | null, seq: number): boolean =>
    isDeleted(key, seq) || (key !== null && seq < (resetAt.get(key) ?? 0));
  /** What does not say whose words its result holds may hold those of any. */
  const mayHold = ({ conversationKey, mayQuote }: ResultOrigin, seq: number): boolean =>
    conversationKey === undefined || mayQuote === true ? seq < last : isGone(conversationKey, seq);
  const claims: Claims = { isGone, mayHold, related: new Set() };
  return {
    take(entry) {
      const { seq, stream, type } = entry;
      const key = idIn(conversation, stream) ?? null;
      const isOwn = isGone(key, seq);
      // Settings hold for what goes on after a reset.
      if (isOwn && type === "conversation.patched" && !isDeleted(key, seq)) return undefined;
      if (findEventProblem(entry) !== undefined) {
        // Nobody can read it here, but somebody might.
        return isOwn || claims.related.has(stream) ? { seq, data: {} } : undefined;
      }
      const data = isOwn
        ? conversation.write(blankConversation(conversation.read(entry)))
        : blankRelated(entry, claims);
      return data && { seq, data };
    },
  };
}

/** What belongs to a conversation that is gone. */
interface Claims {
  readonly isGone: (key: string | null, seq: number) => boolean;
  readonly mayHold: (result: ResultOrigin, seq: number) => boolean;
  /** Streams that were found to. */
  readonly related: Set<string>;
}

interface ResultOrigin {
  readonly conversationKey?: string | null;
  readonly mayQuote?: boolean;
}

/** The data it is to have; undefined when it belongs to none. */
function blankRelated(entry: Entry, { isGone, mayHold, related }: Claims): object | undefined {
  const { stream, seq } = entry;
  const [kind = ""] = stream.split("/", 1);
  const claim = (isTheirs: boolean): boolean => {
    if (isTheirs) related.add(stream);
    return related.has(stream);
  };
  switch (kind) {
    case approval.name: {
      const event = approval.read(entry);
      const isFirst = event.type === "approval.requested";
      const isTheirs = isFirst && isGone(event.subject.conversationKey, seq);
      return claim(isTheirs) ? approval.write(blankApproval(event)) : undefined;
    }
    case question.name: {
      const event = question.read(entry);
      const isFirst = event.type === "question.asked";
      const isTheirs = isFirst && isGone(event.source.conversationKey, seq);
      return claim(isTheirs) ? question.write(blankQuestion(event)) : undefined;
    }
    case build.name: {
      const event = build.read(entry);
      const isTheirs = event.type === "build.started" && isGone(event.conversationKey, seq);
      return claim(isTheirs) ? build.write(blankBuild(event)) : undefined;
    }
    case poll.name: {
      const event = poll.read(entry);
      const isTheirs = event.type === "poll.opened" && isGone(event.subject.to, seq);
      return claim(isTheirs) ? poll.write(blankPoll(event)) : undefined;
    }
    case toolCall.name: {
      const event = toolCall.read(entry);
      const isTheirs = event.type === "tool-call.begun" && mayHold(event, seq);
      return claim(isTheirs) ? toolCall.write(blankToolCall(event)) : undefined;
    }
    case invocation.name: {
      const event = invocation.read(entry);
      const isTheirs = event.type === "invocation.requested" && mayHold(event, seq);
      return claim(isTheirs) ? invocation.write(blankInvocation(event)) : undefined;
    }
    default:
      return undefined;
  }
}

/** By key; of several, the one that covers the others. */
function latestOf(deletions: readonly Deletion[], isReset: boolean): ReadonlyMap<string, number> {
  const latest = new Map<string, number>();
  for (const each of deletions) {
    if (each.isReset !== isReset) continue;
    latest.set(each.key, Math.max(each.seq, latest.get(each.key) ?? 0));
  }
  return latest;
}

function blankConversation(event: ConversationEvent): ConversationEvent {
  switch (event.type) {
    case "run.requested": {
      const { earlier: _earlier, context: _context, clientTools: _tools, ...rest } = event;
      const from = { ...event.from, name: null };
      return { ...rest, from, text: "", attachments: [], instructions: null };
    }
    case "run.tool.called":
      return { ...event, input: null };
    case "run.tool.returned": {
      const { output: _output, tree: _tree, ...rest } = event;
      return { ...rest, text: "" };
    }
    case "run.completed": {
      const { offer: _offer, ...rest } = event;
      return { ...rest, text: "" };
    }
    case "run.compacted":
      return { ...event, text: "" };
    case "run.session.named":
      return { ...event, session: "" };
    case "run.failed":
    case "run.aborted":
      return { ...event, text: "", reason: "" };
    case "run.stopping":
    case "conversation.reset":
      return { ...event, reason: "" };
    case "run.calls.requested":
    case "run.calls.answered":
      return { ...event, digest: "" };
    case "run.delivered":
      return { ...event, name: "", digest: "" };
    case "message.injected":
      return { ...event, text: "", label: null };
    case "conversation.patched":
      return { ...event, changes: {} };
    case "run.started":
    case "run.merged":
    case "conversation.opened":
    case "conversation.deleted":
      return event;
  }
}

function blankToolCall(event: ToolCallEvent): ToolCallEvent {
  return event.type === "tool-call.finished" ? { ...event, text: "", isErased: true } : event;
}

function blankInvocation(event: InvocationEvent): InvocationEvent {
  if (event.type !== "invocation.settled" || event.outcome.status === "cut") return event;
  return { ...event, outcome: { status: "cut", by: "erased" } };
}

function blankSubject({
  input: _input,
  writes: _writes,
  details: _details,
  ...subject
}: ApprovalSubject): ApprovalSubject {
  return { ...subject, summary: "", cwd: null, warning: null, mayAlways: false };
}

function blankWait(wait: BuildWait): BuildWait {
  switch (wait.kind) {
    case "permission":
      return { ...wait, subject: blankSubject(wait.subject), size: 0 };
    case "question":
      return { ...wait, asked: { ...wait.asked, prompt: "", questions: [] } };
  }
}

function blankOutcome(outcome: WaitOutcome): WaitOutcome {
  switch (outcome.how) {
    case "allowed":
    case "denied":
      return { ...outcome, note: null };
    case "answered":
      return { ...outcome, answers: [] };
    case "expired":
      return outcome;
  }
}

function blankApproval(event: ApprovalEvent): ApprovalEvent {
  switch (event.type) {
    case "approval.requested": {
      return { ...event, subject: blankSubject(event.subject) };
    }
    case "approval.allowed": {
      const { scope: _scope, pattern: _pattern, note: _note, ...rest } = event;
      return { ...rest, how: "once" };
    }
    case "approval.denied": {
      const { note: _note, ...rest } = event;
      return rest;
    }
    case "approval.expired":
    case "approval.revoked":
      return event;
  }
}

function blankQuestion(event: QuestionEvent): QuestionEvent {
  switch (event.type) {
    case "question.asked":
      return { ...event, items: [] };
    case "question.answered": {
      const { note: _note, ...rest } = event;
      return { ...rest, answers: {} };
    }
    case "question.withdrawn":
    case "question.expired":
      return event;
  }
}

function blankPoll(event: PollEvent): PollEvent {
  if (event.type !== "poll.opened") return event;
  const { subject } = event;
  return {
    ...event,
    subject: { ...subject, question: "", options: subject.options.map(() => "") },
  };
}

function blankBuild(event: BuildEvent): BuildEvent {
  switch (event.type) {
    case "build.started": {
      const steps = event.steps.map(({ id }) => ({ id, title: "", description: "" }));
      return { ...event, prompt: "", steps, ...(event.checks !== undefined && { checks: [] }) };
    }
    case "build.told":
      return { ...event, telling: blankFeedEvent(event.telling) };
    case "build.turn.wanted":
      return { ...event, turn: { ...event.turn, body: "" } };
    case "build.repaired":
    case "build.rejected":
      return { ...event, text: "", why: "" };
    case "build.held":
      return { ...event, event: { what: "message", text: "" }, text: "" };
    case "build.cancelled":
      return event;
  }
}

function blankFeedEvent(event: BuildFeedEvent): BuildFeedEvent {
  switch (event.what) {
    case "message":
      return { ...event, text: "" };
    case "step-started":
      return { ...event, title: "", description: "" };
    case "status":
      return { ...event, output: null };
    case "asked":
      return { ...event, prompt: "", questions: [] };
    case "answered":
      return { ...event, answers: [] };
    case "failed":
      return { ...event, reason: null };
    case "wait-began":
      return { ...event, wait: blankWait(event.wait) };
    case "wait-ended":
      return { ...event, wait: blankWait(event.wait), outcome: blankOutcome(event.outcome) };
    case "checks-started":
      return { ...event, checks: [] };
    case "checks-finished":
      return { ...event, results: [] };
    case "started":
    case "step-completed":
    case "completed":
      return event;
  }
}

/** That what it asked for is done. */
export function markErased(entry: Entry): Rewrite {
  const event = conversation.read(entry);
  const isAsking = event.type === "conversation.deleted" || event.type === "conversation.reset";
  const done = isAsking ? { ...event, erase: "done" as const } : event;
  return { seq: entry.seq, data: conversation.write(done) };
}

/** The files that an entry speaks of, by their digests. */
export function digestsIn(data: unknown): readonly string[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
    if (name === "digest" && typeof value === "string") return value === "" ? [] : [value];
    return digestsIn(value);
  });
}
