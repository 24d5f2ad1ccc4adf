/**
 * What is left of a conversation that was deleted: that it was, when, who and what it cost; not a word of it.
 *
 * Events keep their shapes, so that everything folds as before; the texts in them are empty. What was asked of people
 * for its sake (approvals, questions), the build it was of and polls held in it go the same way. A rule that was given
 * for ever in it is void: what it covered can no longer be read.
 */
import type { Entry, Rewrite } from "@atrium/log";
import { approval, type ApprovalEvent, type ApprovalSubject } from "../approval/approval.ts";
import { build } from "../build/build.ts";
import type { BuildEvent, Telling } from "../build/events.ts";
import type { BuildWait, WaitOutcome } from "../build/waits.ts";
import { conversation } from "../conversation/conversation.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { streamOf } from "../engine/dispatch.ts";
import { poll, type PollEvent } from "../poll/poll.ts";
import { question, type QuestionEvent } from "../question/question.ts";
import { findFlaw } from "./event-problem.ts";

/** How the names of conversations' streams begin. */
const OWN = streamOf(conversation, "");

/** A conversation that was deleted, and the entry that says so. What came later under the same key is another's. */
export interface Deletion {
  readonly key: string;
  readonly seq: number;
}

export interface Blanking {
  take(entry: Entry): Rewrite | undefined;
}

/**
 * Goes through the log once, in order. `take` gives what an entry is to say from now on, or undefined when it belongs to
 * none of the conversations.
 */
export function createBlanking(deletions: readonly Deletion[]): Blanking {
  /** The latest deletion of each, by key. */
  const deletedAt = new Map<string, number>();
  for (const { key, seq } of deletions) deletedAt.set(key, Math.max(seq, deletedAt.get(key) ?? 0));
  const isGone = (key: string | null, seq: number): boolean =>
    key !== null && seq < (deletedAt.get(key) ?? 0);
  const related = new Set<string>();
  const blankRelated = (entry: Entry): object | undefined => {
    const [kind = ""] = entry.stream.split("/", 1);
    switch (kind) {
      case approval.name: {
        const event = approval.read(entry);
        if (
          event.type === "approval.requested" &&
          isGone(event.subject.conversationKey, entry.seq)
        ) {
          related.add(entry.stream);
        }
        return related.has(entry.stream) ? blankApproval(event) : undefined;
      }
      case question.name: {
        const event = question.read(entry);
        if (event.type === "question.asked" && isGone(event.source.conversationKey, entry.seq)) {
          related.add(entry.stream);
        }
        return related.has(entry.stream) ? blankQuestion(event) : undefined;
      }
      case build.name: {
        const event = build.read(entry);
        if (event.type === "build.started" && isGone(event.conversationKey, entry.seq)) {
          related.add(entry.stream);
        }
        return related.has(entry.stream) ? blankBuild(event) : undefined;
      }
      case poll.name: {
        const event = poll.read(entry);
        if (event.type === "poll.opened" && isGone(event.subject.to, entry.seq)) {
          related.add(entry.stream);
        }
        return related.has(entry.stream) ? blankPoll(event) : undefined;
      }
      default:
        return undefined;
    }
  };
  return {
    take(entry) {
      const { seq, stream } = entry;
      const isOwn = stream.startsWith(OWN) && isGone(stream.slice(OWN.length), seq);
      if (findFlaw(entry) !== undefined) {
        // Nobody can read it here, but somebody might.
        return isOwn || related.has(stream) ? { seq, data: {} } : undefined;
      }
      const event = isOwn ? blankConversation(conversation.read(entry)) : blankRelated(entry);
      if (event === undefined) return undefined;
      const { type: _type, ...data } = { type: "", ...event };
      return { seq, data };
    },
  };
}

function blankConversation(event: ConversationEvent): ConversationEvent {
  switch (event.type) {
    case "run.requested": {
      const { earlier: _earlier, context: _context, ...rest } = event;
      const from = { ...event.from, name: null };
      return { ...rest, from, text: "", attachments: [], instructions: null };
    }
    case "run.tool.called":
      return { ...event, input: null };
    case "run.tool.returned":
    case "run.completed":
      return { ...event, text: "" };
    case "run.failed":
    case "run.aborted":
      return { ...event, text: "", reason: "" };
    case "run.stopping":
    case "conversation.reset":
      return { ...event, reason: "" };
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
      return { ...event, prompt: "", steps };
    }
    case "build.told":
      return { ...event, telling: blankTelling(event.telling) };
    case "build.turn.wanted":
      return { ...event, turn: { ...event.turn, body: "" } };
    case "build.repaired":
    case "build.rejected":
      return { ...event, text: "", why: "" };
    case "build.cancelled":
      return event;
  }
}

function blankTelling(telling: Telling): Telling {
  switch (telling.what) {
    case "message":
      return { ...telling, text: "" };
    case "step-started":
      return { ...telling, title: "", description: "" };
    case "status":
      return { ...telling, output: null };
    case "asked":
      return { ...telling, prompt: "", questions: [] };
    case "answered":
      return { ...telling, answers: [] };
    case "failed":
      return { ...telling, reason: null };
    case "wait-began":
      return { ...telling, wait: blankWait(telling.wait) };
    case "wait-ended":
      return { ...telling, wait: blankWait(telling.wait), outcome: blankOutcome(telling.outcome) };
    case "started":
    case "step-completed":
    case "completed":
      return telling;
  }
}

/** The files that an entry speaks of, by their digests. */
export function digestsIn(data: unknown): readonly string[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
    if (name === "digest" && typeof value === "string") return value === "" ? [] : [value];
    return digestsIn(value);
  });
}
