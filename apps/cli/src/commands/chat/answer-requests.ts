/**
 * What an agent asks in the middle of its turn: questions, and permissions. Whoever sits here answers at
 * once; without a person it is only shown, and someone may answer it elsewhere.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { EventPayloads, GatewayClient } from "@atrium/client";
import { messageOf } from "../../command-line/cli-error.ts";
import { readLine } from "../../terminal/read-line.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { describePermission } from "../approvals/describe-permission.ts";
import type { AnswerView } from "./answer-view.ts";

type Question = EventPayloads["question.requested"];
type Approval = EventPayloads["exec.approval.requested"];

/** Words said before the question may come after it, because a server gathers words before it sends them. */
const WORDS_ARRIVE_MS = 200;

export interface Prompter {
  readonly terminal: Terminal;
  readonly view: Pick<AnswerView, "ask" | "lines" | "note">;
  /** What Ctrl-C means here. */
  readonly interrupt: () => void;
}

export function answerRequests(
  client: GatewayClient,
  runId: string,
  prompter: Prompter,
): Disposable {
  const open = new Map<string, AbortController>();
  let line = Promise.resolve();
  const take = (id: string, answer: (signal: AbortSignal) => Promise<void>): void => {
    const settled = new AbortController();
    open.set(id, settled);
    // One after the other: there is one keyboard.
    line = line
      .then(() => sleep(WORDS_ARRIVE_MS))
      .then(() => (settled.signal.aborted ? undefined : answer(settled.signal)));
  };
  const settle = ({ id }: { readonly id: string }): void => open.get(id)?.abort();
  const leave = [
    client.onEvent("question.requested", (request) => {
      if (request.runId !== runId) return;
      take(request.id, (signal) => question(client, request, prompter, signal));
    }),
    client.onEvent("exec.approval.requested", (request) => {
      if (request.request.runId !== runId) return;
      take(request.id, (signal) => approval(client, request, prompter, signal));
    }),
    client.onEvent("question.resolved", settle),
    client.onEvent("exec.approval.resolved", settle),
  ];
  return {
    [Symbol.dispose]() {
      for (const unsubscribe of leave) unsubscribe();
      for (const settled of open.values()) settled.abort();
    },
  };
}

async function question(
  client: GatewayClient,
  { id, questions }: Question,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<void> {
  const answers = new Map<string, string[]>();
  for (const { questionId, question: text, options } of questions) {
    const labels = options.map(({ label }) => label);
    prompter.view.ask(text, labels);
    const answer = await read(prompter, signal);
    if (answer === undefined) return;
    answers.set(questionId, [labels[Number(answer) - 1] ?? answer]);
  }
  await send(prompter, () =>
    client.call("question.answer", { id, answers: { answers: Object.fromEntries(answers) } }),
  );
}

async function approval(
  client: GatewayClient,
  request: Approval,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<void> {
  const { id } = request;
  // All of it is on the screen before there is a prompt to answer at.
  prompter.view.lines(describePermission(request, prompter.terminal.errPaint));
  prompter.view.ask("Allow this?", ["yes", "no"]);
  const answer = await read(prompter, signal);
  if (answer === undefined) return;
  const isAllowed = /^(?:1|y|yes)$/i.test(answer);
  const decision = isAllowed ? "allow-once" : "deny";
  await send(prompter, () => client.call("exec.approval.resolve", { id, decision }));
}

/** Undefined when there is nobody to answer, or no need any more. */
async function read(prompter: Prompter, signal: AbortSignal): Promise<string | undefined> {
  const { terminal } = prompter;
  if (!terminal.hasPerson) {
    prompter.view.note("waiting for an answer from another client");
    return undefined;
  }
  const prompt = `${terminal.paint.doubtful("›")} `;
  const line = await readLine(terminal, { prompt, signal });
  if (line === undefined && !signal.aborted) prompter.interrupt();
  return line?.trim();
}

async function send(prompter: Prompter, answer: () => Promise<unknown>): Promise<void> {
  try {
    await answer();
  } catch (cause) {
    prompter.view.note(`not accepted: ${messageOf(cause)}`);
  }
}
