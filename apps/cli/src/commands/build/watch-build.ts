/**
 * Stays with a build to its end: shows what happens, answers what is asked. Ctrl-C asks whether to cancel
 * the build or to leave it running; without a person it leaves it running and says so.
 */
import { RequestAborted, type EventPayloads, type GatewayClient } from "@atrium/client";
import { EXIT, messageOf } from "../../command-line/cli-error.ts";
import { readLine } from "../../terminal/read-line.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { answerCall, isRequired, questionsIn } from "./answer-call.ts";
import { permissionText } from "./permission-text.ts";
import { readAnswers, type QuestionSet } from "./read-answers.ts";

type BuildEvent = EventPayloads["build"];
type PermissionRequested = Extract<
  BuildEvent,
  { readonly type: "permission.requested" }
>["payload"];

type CheckEnd = Extract<
  BuildEvent,
  { readonly type: "checks.finished" }
>["payload"]["checks"][number];

export interface View {
  /** Whether people can be asked through it. */
  readonly canAsk: boolean;
  show(event: BuildEvent): void;
  /** What a check that did not pass has printed. */
  showOutput(name: string, output: string): void;
  /** A quiet line about the build, not of it. */
  note(text: string): void;
  /** Makes room for a question, shown with its options; `resume` takes the room back. */
  ask(question: string, options?: readonly string[]): void;
  resume(): void;
  close(): void;
}

type ReadOutput = (checkId: string) => Promise<Buffer>;

export async function watchBuild(
  client: GatewayClient,
  id: string,
  view: View,
  terminal: Terminal,
  readOutput: ReadOutput,
): Promise<number> {
  const attendance = new BuildWatcher(client, id, view, terminal, readOutput);
  const interrupt = (): void => attendance.interrupt();
  process.on("SIGINT", interrupt);
  try {
    return await attendance.run();
  } finally {
    process.off("SIGINT", interrupt);
    view.close();
  }
}

class BuildWatcher {
  readonly #client: GatewayClient;
  readonly #id: string;
  readonly #view: View;
  readonly #terminal: Terminal;
  readonly #readOutput: ReadOutput;
  readonly #leave = new AbortController();
  /** What waits for an answer, by its name; aborted when it is settled, here or elsewhere. */
  readonly #open = new Map<string, AbortController>();
  /** One after the other: there is one keyboard. */
  #line: Promise<void> = Promise.resolve();
  #isInterrupted = false;

  constructor(
    client: GatewayClient,
    id: string,
    view: View,
    terminal: Terminal,
    readOutput: ReadOutput,
  ) {
    this.#client = client;
    this.#id = id;
    this.#view = view;
    this.#terminal = terminal;
    this.#readOutput = readOutput;
  }

  async run(): Promise<number> {
    const { signal } = this.#leave;
    try {
      for await (const update of this.#client.followBuild(this.#id, { signal })) {
        switch (update.type) {
          case "lost":
            this.#view.note("lost the connection; reconnecting");
            break;
          case "back":
            this.#view.note("reconnected");
            break;
          case "event":
            this.#take(update.event);
            if (update.event.type === "checks.finished") {
              await this.#showOutputs(update.event.payload.checks);
            }
            if (update.event.type === "session.completed") return EXIT.ok;
            if (update.event.type === "session.failed") {
              return this.#isInterrupted ? EXIT.interrupted : EXIT.failed;
            }
        }
      }
    } catch (cause) {
      if (!(cause instanceof RequestAborted)) throw cause;
    }
    return EXIT.interrupted;
  }

  #take(event: BuildEvent): void {
    const settled = settledBy(event);
    if (settled !== undefined) this.#settle(settled);
    this.#view.show(event);
    const { type } = event;
    if (type === "question.requested" || type === "questions.requested") {
      this.#await(nameOf(event.payload), (signal) => this.#ask(event.payload, signal));
    } else if (type === "permission.requested") {
      this.#await(event.payload.permission_id, (signal) => this.#permit(event.payload, signal));
    } else if (type === "session.failed" || type === "session.completed") {
      for (const name of this.#open.keys()) this.#settle(name);
    }
  }

  /** Never rejects: the build goes on, whatever can be read of its checks. */
  async #showOutputs(checks: readonly CheckEnd[]): Promise<void> {
    for (const { name, verdict, check_id: checkId } of checks) {
      if (checkId === undefined || verdict === "passed" || verdict === "skipped") continue;
      try {
        this.#view.showOutput(name, (await this.#readOutput(checkId)).toString("utf8"));
      } catch (cause) {
        this.#view.note(`what it printed cannot be read: ${messageOf(cause)}`);
      }
    }
  }

  #await(name: string, ask: (settled: AbortSignal) => Promise<void>): void {
    const settled = new AbortController();
    this.#open.set(name, settled);
    this.#line = this.#line
      .then(() => (settled.signal.aborted ? undefined : ask(settled.signal)))
      .then(() => void this.#open.delete(name));
  }

  #settle(name: string): void {
    this.#open.get(name)?.abort();
    if (this.#open.delete(name)) this.#view.resume();
  }

  /** Shows all of it before anything can be allowed. Never rejects. */
  async #permit(request: PermissionRequested, settled: AbortSignal): Promise<void> {
    await new Promise((resolve) => void setImmediate(resolve));
    if (settled.aborted) return;
    const { permission_id: id, permission, code } = request;
    const canAllow = permission.is_whole;
    this.#view.ask(permissionText(permission), canAllow ? ["allow once", "deny"] : ["deny"]);
    if (!canAllow) {
      this.#view.note(
        "the request is too long to show here; read all of it and allow it on its page",
      );
    }
    if (!this.#view.canAsk || !this.#terminal.hasPerson) {
      this.#view.note(`waiting for permission; answer in its chat: yes ${code} or no ${code}`);
      return;
    }
    const answer = await this.#read("› ", settled);
    if (settled.aborted) return;
    if (answer === undefined) return this.interrupt();
    const decision = canAllow && /^(?:1|y|yes)$/i.test(answer.trim()) ? "allow-once" : "deny";
    try {
      await this.#client.call("exec.approval.resolve", { id, decision });
    } catch (cause) {
      this.#view.note(`not accepted: ${messageOf(cause)}`);
    }
  }

  /** Never rejects. */
  async #ask(set: QuestionSet, settled: AbortSignal): Promise<void> {
    const { canAsk } = this.#view;
    // What was asked long ago may have been answered by the events that follow.
    await new Promise((resolve) => void setImmediate(resolve));
    if (settled.aborted) return;
    if (!canAsk || !this.#terminal.hasPerson) {
      for (const { prompt, options = [] } of questionsIn(set)) {
        this.#view.ask(
          prompt,
          options.map(({ id, label }) => `${id}: ${label}`),
        );
      }
      this.#view.note(`waiting for an answer: ${answerCall(this.#id, set)}`);
      if (!isRequired(set)) {
        this.#view.note(`or skip it: atrium build --answer ${this.#id} ""`);
      }
      return;
    }
    while (!settled.aborted) {
      const answers = await readAnswers(set, this.#view, (prompt) => this.#read(prompt, settled));
      if (settled.aborted) return;
      if (answers === undefined) {
        this.interrupt();
        return;
      }
      try {
        await this.#client.call("build.answer", { id: this.#id, answers });
        return;
      } catch (cause) {
        this.#view.note(`not accepted: ${messageOf(cause)}`);
      }
    }
  }

  #read(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    return readLine(this.#terminal, { prompt, signal });
  }

  interrupt(): void {
    if (this.#isInterrupted || !this.#terminal.hasPerson) {
      this.#detach();
      return;
    }
    this.#isInterrupted = true;
    for (const settled of this.#open.values()) settled.abort();
    this.#open.clear();
    void this.#askWhatToDo();
  }

  async #askWhatToDo(): Promise<void> {
    this.#view.ask("Stop watching?", ["cancel the build", "leave it running", "keep watching"]);
    const prompt = `${this.#terminal.paint.doubtful("›")} `;
    const answer = (await this.#read(prompt, this.#leave.signal))?.trim().toLowerCase();
    if (answer === "1" || answer === "cancel") {
      this.#view.resume();
      await this.#client.call("build.cancel", { id: this.#id }).catch((cause: unknown) => {
        this.#view.note(`not canceled: ${messageOf(cause)}`);
        this.#leave.abort();
      });
    } else if (answer === "3" || answer === "keep") {
      this.#isInterrupted = false;
      this.#view.resume();
      await this.#askAgain();
    } else {
      this.#detach();
    }
  }

  /** What the build still waits for. */
  async #askAgain(): Promise<void> {
    const { build } = await this.#client.call("build.get", { id: this.#id });
    const { question, permissions = [] } = build;
    if (question !== undefined) {
      this.#await(nameOf(question), (settled) => this.#ask(question, settled));
    }
    for (const request of permissions) {
      this.#await(request.permission_id, (settled) => this.#permit(request, settled));
    }
    await this.#line;
  }

  #detach(): void {
    if (this.#leave.signal.aborted) return;
    this.#view.note(
      `the build keeps running; to watch it again: atrium build --follow ${this.#id}`,
    );
    this.#leave.abort();
  }
}

function nameOf(set: QuestionSet): string {
  return "questions" in set ? set.question_set_id : set.question_id;
}

/** The name of what it answers, or what nobody can answer any more. */
function settledBy(event: BuildEvent): string | undefined {
  if (event.type === "question.answered") return event.payload.question_id;
  if (event.type === "questions.answered") return event.payload.question_set_id;
  if (event.type === "permission.resolved") return event.payload.permission_id;
  if (event.type !== "question.expired") return undefined;
  return event.payload.question_set_id ?? event.payload.question_id;
}
