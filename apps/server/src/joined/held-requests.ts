/**
 * What joined sessions ask, held open until someone answers it: people here, or the terminal.
 *
 *   hook -> approval or question in the log -> someone answers here   -> the hook is told
 *                                           -> the hook is gone, or the tool has run: it was answered there -> withdrawn
 *
 * The log holds what is asked, so a hook that comes again after a restart waits for the same request.
 */
import { createHash } from "node:crypto";
import {
  refuse,
  type Answers,
  type ApprovalRow,
  type Approvals,
  type ApprovalSubject,
  type Outcome,
  type QuestionItem,
  type QuestionRow,
  type Questions,
  type QuestionSource,
} from "@atrium/core";
import type { PermissionRequest } from "../agents/turn/agent-runtime.ts";
import type { NewApproval } from "../human-input/approval-requests.ts";
import type { HumanInput } from "../human-input/human-input.ts";
import type { PermissionVerdict } from "./hook-answer.ts";
import type { HookReport, ReportedTool } from "./hook-report.ts";
import { approvalFor, approvalOfSession, isSameUse, maskRequest } from "./permission-subject.ts";
import { answeredInput, isQuestionTool, questionsOfTool } from "./question-items.ts";

export interface HeldRequestDeps {
  readonly approvals: Pick<Approvals, "get" | "listOpen">;
  readonly questions: Pick<Questions, "get" | "listOpen">;
  readonly humanInput: Pick<
    HumanInput,
    | "openApproval"
    | "awaitApproval"
    | "expireApproval"
    | "openQuestion"
    | "awaitQuestion"
    | "expireQuestion"
  >;
  /** How long people may take. */
  readonly limits: { readonly answerTimeoutMs: number };
  /** Without what the server keeps secret. */
  readonly mask: (value: unknown) => unknown;
  /** Whether hooks of the session come to this node. */
  readonly isOwn: (joinedId: string) => boolean;
}

const DENIED =
  "A person denied this in Atrium. Do not try to do it in another way; go on without it or ask what to do instead.";

const UNREAD = refuse("approval.unreadable");

/** Something that a program asks by itself, and the ways in which it stops waiting for an answer. */
interface ProgramRequest {
  readonly joinedId: string;
  /** The same when it is asked again. */
  readonly requestId: string;
  /** It was answered in the terminal. */
  readonly settled: AbortSignal;
  /** The program is out of reach; it asks again when it is back. */
  readonly lost: AbortSignal;
}

export interface ProgramPermission extends ProgramRequest {
  /** Null: it cannot be read any more, and is waited for only if it was asked before. */
  readonly request: PermissionRequest | null;
}

export interface ProgramQuestion extends ProgramRequest {
  readonly items: readonly QuestionItem[];
}

export class HeldRequests {
  readonly #deps: HeldRequestDeps;
  /** By what is asked: the hooks that wait for it. */
  readonly #waiting = new Map<string, number>();
  readonly #closing = new AbortController();

  constructor(deps: HeldRequestDeps) {
    this.#deps = deps;
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Undefined: nobody here decided, and the terminal is left to itself. */
  async hold(report: HookReport, gone: AbortSignal): Promise<PermissionVerdict | undefined> {
    const { id: joinedId, requestId, tool, folder, program } = report;
    if (tool === null || requestId === null) return undefined;
    const ref = refOf(joinedId, requestId);
    const left = AbortSignal.any([gone, this.#closing.signal]);
    using _waiting = this.#wait(ref);
    const { mask } = this.#deps;
    if (program.questionTool?.name === tool.name) {
      const questions = questionsOfTool(program.questionTool, tool, mask);
      if (questions === undefined) return undefined;
      const { items } = questions;
      const row = await this.#holdQuestion(ref, { joinedId, items }, left);
      if (row === undefined) await this.#release(ref, () => this.#withdrawQuestion(ref));
      const answers = row && answersIn(row);
      if (answers === undefined) return undefined;
      const choices = questions.choices(answers);
      return {
        behavior: "allow",
        updatedInput: answeredInput(program.questionTool, tool, choices),
      };
    }
    const safe = { name: tool.name, input: mask(tool.input) };
    const row = await this.#holdPermission(ref, () => approvalFor(joinedId, safe, folder), left);
    if (row !== undefined) return verdictIn(row);
    await this.#release(ref, () => this.#withdrawPermission(ref));
    return undefined;
  }

  /** The approval as it was settled here; undefined: nobody here decided, and the terminal is left to itself. */
  async holdPermission(permission: ProgramPermission): Promise<ApprovalRow | undefined> {
    const { joinedId, requestId, request, settled, lost } = permission;
    const ref = refOf(joinedId, requestId);
    const left = AbortSignal.any([settled, lost, this.#closing.signal]);
    using _waiting = this.#wait(ref);
    const subject = request && approvalOfSession(joinedId, maskRequest(request, this.#deps.mask));
    const row = await this.#holdPermission(ref, () => subject ?? UNREAD, left);
    if (row !== undefined) return row;
    if (settled.aborted) await this.#release(ref, () => this.#withdrawPermission(ref));
    return undefined;
  }

  /** The answers given here; undefined: nobody here answered, and the terminal is left to itself. */
  async holdQuestion(question: ProgramQuestion): Promise<Answers | undefined> {
    const { joinedId, requestId, items, settled, lost } = question;
    const ref = refOf(joinedId, requestId);
    const left = AbortSignal.any([settled, lost, this.#closing.signal]);
    using _waiting = this.#wait(ref);
    const row = await this.#holdQuestion(ref, { joinedId, items }, left);
    if (row !== undefined) return answersIn(row);
    if (settled.aborted) await this.#release(ref, () => this.#withdrawQuestion(ref));
    return undefined;
  }

  async #holdPermission(
    id: string,
    subject: () => Outcome<NewApproval>,
    left: AbortSignal,
  ): Promise<ApprovalRow | undefined> {
    const { approvals, humanInput, limits } = this.#deps;
    if (approvals.get(id) === undefined) {
      const request = subject();
      if (!request.ok) return undefined;
      const opened = await humanInput.openApproval({
        ...request.value,
        id,
        timeoutMs: limits.answerTimeoutMs,
      });
      if (!opened.ok && opened.code !== "approval.taken") return undefined;
    }
    return humanInput.awaitApproval(id, left);
  }

  async #withdrawPermission(id: string): Promise<void> {
    await this.#deps.humanInput.expireApproval(id, "elsewhere");
  }

  async #holdQuestion(
    id: string,
    { joinedId, items }: Pick<ProgramQuestion, "joinedId" | "items">,
    left: AbortSignal,
  ): Promise<QuestionRow | undefined> {
    const { questions, humanInput, limits } = this.#deps;
    if (questions.get(id) === undefined) {
      const source: QuestionSource = {
        conversationKey: null,
        runId: null,
        agent: null,
        askedBy: "session",
        joinedId,
      };
      const timeoutMs = limits.answerTimeoutMs;
      const opened = await humanInput.openQuestion({ id, items, source, timeoutMs });
      if (!opened.ok && opened.code !== "question.taken") return undefined;
    }
    return humanInput.awaitQuestion(id, left);
  }

  async #withdrawQuestion(id: string): Promise<void> {
    await this.#deps.humanInput.expireQuestion(id, "elsewhere");
  }

  /** The hook is gone. While the server closes that says nothing: the hook comes back. */
  async #release(ref: string, withdraw: () => Promise<unknown>): Promise<void> {
    const others = (this.#waiting.get(ref) ?? 1) - 1;
    if (!this.isClosing && others <= 0) await withdraw();
  }

  #wait(ref: string): Disposable {
    this.#waiting.set(ref, (this.#waiting.get(ref) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#waiting.get(ref) ?? 1) - 1;
        if (left > 0) this.#waiting.set(ref, left);
        else this.#waiting.delete(ref);
      },
    };
  }

  /** The tool was used, so its permission is settled; without a tool, the turn went on and all of them are. */
  async settle(joinedId: string, used: ReportedTool | null): Promise<void> {
    const { approvals, questions, humanInput, mask } = this.#deps;
    const safe = used && { name: used.name, input: mask(used.input) };
    const same = safe && approvalFor(joinedId, safe, null);
    const isIt = (subject: ApprovalSubject): boolean =>
      same === null || (same.ok && isSameUse(subject, same.value.subject));
    for (const { id, subject } of approvals.listOpen()) {
      if (subject.joinedId !== joinedId || !isIt(subject)) continue;
      await humanInput.expireApproval(id, "elsewhere");
    }
    if (used !== null && !isQuestionTool(used)) return;
    for (const { id, source } of questions.listOpen()) {
      if (source.joinedId === joinedId) await humanInput.expireQuestion(id, "elsewhere");
    }
  }

  isAsking(joinedId: string): boolean {
    const { approvals, questions } = this.#deps;
    return (
      approvals.listOpen().some(({ subject }) => subject.joinedId === joinedId) ||
      questions.listOpen().some(({ source }) => source.joinedId === joinedId)
    );
  }

  /** Withdraws what no hook waits for: its session was answered, or ended, while the server was away. */
  async withdrawUnattended(): Promise<void> {
    const { approvals, questions, humanInput, isOwn } = this.#deps;
    const isLeft = (id: string, joinedId: string | undefined): boolean =>
      joinedId !== undefined && isOwn(joinedId) && !this.#waiting.has(id);
    for (const { id, subject } of approvals.listOpen()) {
      if (isLeft(id, subject.joinedId)) await humanInput.expireApproval(id, "elsewhere");
    }
    for (const { id, source } of questions.listOpen()) {
      if (isLeft(id, source.joinedId)) await humanInput.expireQuestion(id, "elsewhere");
    }
  }

  /** Lets go of the hooks: they ask again, and what they ask stays open. */
  close(): void {
    this.#closing.abort();
  }
}

/** The program chooses the one, the hook's script the other: neither can name what another has asked. */
function refOf(joinedId: string, requestId: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([joinedId, requestId]))
    .digest("hex");
  return `joined-${digest.slice(0, 32)}`;
}

function verdictIn({ settled }: ApprovalRow): PermissionVerdict | undefined {
  switch (settled?.outcome.type) {
    case "approval.allowed":
      return { behavior: "allow" };
    case "approval.denied": {
      const { note } = settled.outcome;
      const message = note === undefined ? DENIED : `A person denied this and said: ${note}`;
      return { behavior: "deny", message };
    }
    case "approval.expired":
    case undefined:
      return undefined;
  }
}

function answersIn({ settled }: QuestionRow): Answers | undefined {
  return settled?.outcome.type === "question.answered" ? settled.outcome.answers : undefined;
}
