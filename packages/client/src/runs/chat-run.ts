/** A message and the run that answers it. The key of the one is the id of the other. */
import { GatewayError } from "../base/errors.ts";
import type { CallParams } from "../rpc/catalogue.ts";
import type { RunConnection } from "../rpc/run-connection.ts";
import { followRun } from "./follow-run.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import type { RunUpdate } from "./run-update.ts";

export type ChatParams = CallParams<"chat.send"> & { readonly idempotencyKey: string };

export function chatRun(
  line: RunConnection,
  params: ChatParams,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunUpdate, void> {
  const { sessionKey, agentId, idempotencyKey: runId } = params;
  const send = (): Promise<unknown> => line.call("chat.send", params, { signal });
  const ask = async (): Promise<void> => {
    try {
      await retryWhileBusy(line.setTimer, send, signal);
    } catch (error) {
      if (!saysHowItEnded(error, runId)) throw error;
    }
  };
  return followRun(line, { place: { runId, sessionKey, agentId }, ask, signal });
}

/** A message that is sent again is answered with what became of it, and a failure looks like a refusal. */
function saysHowItEnded(error: unknown, runId: string): boolean {
  if (!(error instanceof GatewayError)) return false;
  const { payload } = error;
  return (
    typeof payload === "object" && payload !== null && "runId" in payload && payload.runId === runId
  );
}
