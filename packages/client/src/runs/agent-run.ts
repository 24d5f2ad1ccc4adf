/**
 * The `agent` method, which answers twice: that the work was taken on, and how it ended. A connection
 * lost in between is waited for, and the same request sent again under the same key.
 */
import type { ResultOf } from "@atrium/wire";
import type { agentRun as contract } from "@atrium/wire/gateway";
import { ConnectionLost } from "../base/errors.ts";
import type { AskOptions } from "../rpc/requests.ts";
import type { RunConnection } from "../rpc/run-connection.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

type Reply = ResultOf<typeof contract>;
export type AgentAccepted = Extract<Reply, { readonly status: "accepted" }>;
export type AgentFinished = Exclude<Reply, AgentAccepted>;

export interface AgentOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once, however often the request is sent. */
  readonly onAccepted?: ((accepted: AgentAccepted) => void) | undefined;
}

export async function agentRun(
  line: Pick<RunConnection, "ready" | "setTimer">,
  ask: (options: AskOptions<Reply>) => Promise<Reply>,
  { signal, onAccepted }: AgentOptions,
): Promise<AgentFinished> {
  let isAccepted = false;
  const onInterim = (reply: Reply): boolean => {
    if (reply.status !== "accepted") return false;
    if (!isAccepted) onAccepted?.(reply);
    isAccepted = true;
    return true;
  };
  for (;;) {
    await line.ready(signal);
    try {
      const reply = await retryWhileBusy(line.setTimer, () => ask({ signal, onInterim }), signal);
      if (reply.status !== "accepted") return reply;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }
}
