/**
 * One message and its answer, shown as it comes. Ctrl-C stops the agent; a second one leaves at once.
 *
 * The answer goes to stdout and everything about it to stderr, so that what is piped is the answer.
 */
import { randomUUID } from "node:crypto";
import { RequestAborted, type GatewayClient, type RunEnd } from "@atrium/client";
import { EXIT } from "../../command-line/cli-error.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { answerRequests } from "./answer-requests.ts";
import { AnswerView } from "./answer-view.ts";

export interface Partner {
  readonly sessionKey: string;
  readonly agentId?: string;
}

/** `left`: the person did not wait for the end. */
export type TurnEnd = RunEnd | "left";

export function exitCodeOf(end: TurnEnd): number {
  if (end === "left" || end.how === "aborted") return EXIT.interrupted;
  return end.how === "completed" ? EXIT.ok : EXIT.failed;
}

export async function takeTurn(
  client: GatewayClient,
  partner: Partner,
  message: string,
  terminal: Terminal,
): Promise<TurnEnd> {
  const runId = randomUUID();
  const leave = new AbortController();
  const view = new AnswerView(terminal);
  let isStopping = false;
  const interrupt = (): void => {
    if (isStopping) {
      leave.abort();
      return;
    }
    isStopping = true;
    view.note("stopping; press Ctrl-C again to exit at once");
    // Without a connection nobody can be asked to stop, so all that is left is to leave.
    client.call("chat.abort", { ...partner, runId }).catch(() => leave.abort());
  };
  process.on("SIGINT", interrupt);
  using _answering = answerRequests(client, runId, { terminal, view, interrupt });
  try {
    const params = { ...partner, message, idempotencyKey: runId };
    for await (const update of client.chat(params, { signal: leave.signal })) {
      view.show(update);
      if (update.type === "end") return update;
    }
    return "left";
  } catch (cause) {
    if (!(cause instanceof RequestAborted)) throw cause;
    return "left";
  } finally {
    process.off("SIGINT", interrupt);
    view.close();
  }
}
