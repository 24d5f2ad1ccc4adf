/**
 * What the agent of a build asks people by other means than the build's events: permissions it needs, the tools
 * `ask` and `reply`. They are in the log already; here each becomes part of its build's story, once and in order.
 */
import {
  approval,
  build,
  conversation,
  Fault,
  question,
  idIn,
  retryWhileBusy,
  type RetryDeps,
  rowIn,
  wholeText,
  writesOf,
  type ApprovalRow,
  type Approvals,
  type QuestionSet,
  type BatchListener,
  type BuildCommand,
  type Builds,
  type BuildWait,
  type Dispatch,
  type BuildAnswer,
  type QuestionRow,
  type Questions,
  type WaitOutcome,
} from "@atrium/core";
import { buildIdOfKey } from "./build-key.ts";

export interface BuildWaitsDeps {
  readonly dispatch: Dispatch;
  readonly builds: Pick<Builds, "open">;
  readonly approvals: Pick<Approvals, "get" | "listOpen">;
  readonly questions: Pick<Questions, "get" | "listOpen">;
  readonly sleep: RetryDeps["sleep"];
  readonly report: (fault: Fault) => void;
}

export interface BuildWaits {
  readonly onBatch: BatchListener;
  /** Makes every build wait for what is open, and for nothing else. */
  recover(): Promise<void>;
  close(): void;
}

/** Of one permission, in the events of a build; the rest is read by itself. */
const MAX_TOLD_CHARS = 16_384;

export function createBuildWaits(deps: BuildWaitsDeps): BuildWaits {
  const { dispatch, builds, approvals, questions, sleep, report } = deps;
  /** The last thing that each build was told, so that the next comes after it. */
  const lines = new Map<string, Promise<void>>();
  const closing = new AbortController();

  async function insist(id: string, command: BuildCommand, once?: string): Promise<void> {
    const key = once === undefined ? undefined : { id: once, digest: once };
    const { signal } = closing;
    await retryWhileBusy(() => dispatch(build, id, command, key), { sleep, signal });
  }

  function dispatchInOrder(id: string, command: BuildCommand, once?: string): Promise<void> {
    const before = lines.get(id) ?? Promise.resolve();
    const done = before
      .then(() => insist(id, command, once))
      .catch((cause: unknown) => {
        if (closing.signal.aborted) return;
        report(new Fault("a build was not told what it waits for", { id }, cause));
      })
      .finally(() => {
        if (lines.get(id) === done) lines.delete(id);
      });
    lines.set(id, done);
    return done;
  }

  function noticeWait(row: ApprovalRow | QuestionRow): Promise<void> | undefined {
    const [key, wait] =
      "subject" in row
        ? [row.subject.conversationKey, permissionWait(row)]
        : [row.source.conversationKey, questionWait(row)];
    const id = key === null ? undefined : buildIdOfKey(key);
    if (id === undefined || ("isCovered" in row && row.isCovered)) return undefined;
    if (row.settled === null) return dispatchInOrder(id, { type: "wait", wait });
    return dispatchInOrder(id, { type: "end-wait", id: row.id, outcome: outcomeOf(row) });
  }

  return {
    onBatch(entries) {
      if (closing.signal.aborted) return;
      for (const entry of entries) {
        const { stream } = entry;
        const row = rowIn(approval, approvals, stream) ?? rowIn(question, questions, stream);
        if (row !== undefined) void noticeWait(row);
        const key = idIn(conversation, stream);
        if (key !== undefined && entry.type === "message.injected") {
          const id = buildIdOfKey(key);
          const event = conversation.read(entry);
          if (id === undefined || event.type !== "message.injected") continue;
          void dispatchInOrder(
            id,
            { type: "reply", text: event.text },
            `build-reply:${event.messageId}`,
          );
        }
      }
    },
    async recover() {
      for (const { build: of } of Array.from(builds.open())) {
        for (const { id: waitId, kind } of of.waits) {
          const row = kind === "permission" ? approvals.get(waitId) : questions.get(waitId);
          if (row?.settled === null) continue;
          const outcome = row === undefined ? EXPIRED : outcomeOf(row);
          await dispatchInOrder(of.id, { type: "end-wait", id: waitId, outcome });
        }
      }
      for (const row of [...approvals.listOpen(), ...questions.listOpen()]) await noticeWait(row);
    },
    close() {
      closing.abort();
    },
  };
}

const EXPIRED: WaitOutcome = { how: "expired" };

function permissionWait({ id, code, subject, expiresAt }: ApprovalRow): BuildWait {
  const texts = [
    wholeText(subject),
    subject.details ?? "",
    ...writesOf(subject).map(({ text }) => text),
  ];
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  const isWhole = size <= MAX_TOLD_CHARS;
  const common = { kind: "permission", id, code, expiresAt, isWhole, size } as const;
  if (isWhole) return { ...common, subject };
  const { input: _input, writes: _writes, details: _details, ...rest } = subject;
  const summary = wholeText(subject)
    .slice(0, MAX_TOLD_CHARS)
    .replace(/[\uD800-\uDBFF]$/, "");
  return { ...common, subject: { ...rest, summary, mayAlways: false } };
}

/** Its questions are named after it, so that no name a client chose becomes part of a header. */
export function waitQuestionId(row: Pick<QuestionRow, "id" | "items">, index: number): string {
  return row.items.length === 1 ? row.id : `${row.id}.${index + 1}`;
}

/** The label, where it is a plain word or two. */
export function waitOptionId(label: string, index: number): string {
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(label) ? label : `option_${index + 1}`;
}

function questionWait(row: QuestionRow): BuildWait {
  const { id, items, expiresAt } = row;
  const isAlone = items.length === 1;
  const questionSet: QuestionSet = {
    setId: isAlone ? null : id,
    prompt: isAlone ? (items[0]?.text ?? "") : "The agent has a few questions.",
    requiresAll: true,
    questions: items.map(({ text, options }, index) => ({
      id: waitQuestionId(row, index),
      prompt: text,
      input: options.length === 0 ? "text" : "single_choice",
      isRequired: true,
      options: options.map(({ label, description }, place) => {
        return { id: waitOptionId(label, place), label, description };
      }),
    })),
  };
  return { kind: "question", id, expiresAt, asked: questionSet };
}

function outcomeOf(row: ApprovalRow | QuestionRow): WaitOutcome {
  const outcome = row.settled?.outcome;
  switch (outcome?.type) {
    case "approval.allowed":
    case "approval.denied": {
      const how = outcome.type === "approval.allowed" ? "allowed" : "denied";
      return { how, by: outcome.by.name, note: outcome.note ?? null };
    }
    case "question.answered": {
      const given = new Map(Object.entries(outcome.answers));
      const items = "items" in row ? row.items : [];
      const answers = items.map(({ questionId, options }, index): BuildAnswer => {
        const values = given.get(questionId) ?? [];
        const place = options.findIndex(({ label }) => label === values[0]);
        const named = { questionId: waitQuestionId({ id: row.id, items }, index) };
        return values.length === 1 && place >= 0
          ? { ...named, optionId: waitOptionId(values[0] ?? "", place), text: null }
          : { ...named, optionId: null, text: values.join(", ") };
      });
      return { how: "answered", by: outcome.by.name, answers };
    }
    case "question.withdrawn":
    case "question.expired":
    case "approval.expired":
    case undefined:
      return EXPIRED;
  }
}
