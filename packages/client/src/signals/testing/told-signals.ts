/** What an adapter makes of its input, each signal read by the same checks that the server runs. */
import assert from "node:assert/strict";
import {
  createSignalReader,
  findDepthProblem,
  findNameProblem,
  MAX_SIGNAL_LEVELS,
  type SignalEnvelope,
} from "@atrium/wire/signal";
import type { Producer, SignalAdapter } from "../producer.ts";

const read = createSignalReader();

export function producer(): Producer {
  let count = 0;
  return { source: "adapter:test", newId: () => `id-${++count}`, now: () => 1_000 };
}

/** Type and payload of each, all of them valid. */
export function told(signals: readonly SignalEnvelope[]): [string, unknown][] {
  for (const signal of signals) {
    assert.equal(findDepthProblem(signal, MAX_SIGNAL_LEVELS), undefined);
    assert.equal(read(signal), signal, JSON.stringify(read(signal)));
    assert.equal(findNameProblem(signal), undefined);
  }
  return signals.map(({ type, payload }) => [type, payload]);
}

export function feed(adapter: SignalAdapter, pieces: readonly unknown[]): [string, unknown][] {
  return told(pieces.flatMap((piece) => adapter(piece)));
}

export function change(
  agentId: string,
  from: string,
  to: string,
  reason?: string,
): [string, unknown] {
  return ["agent_state_change", { agentId, from, to, ...(reason !== undefined && { reason }) }];
}
