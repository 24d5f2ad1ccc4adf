/** What an ACP agent says that its session has cost, as what the turn has. Other units than dollars are not converted. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { RunningTotal } from "../turn/running-total.ts";

/** Undefined: the update does not tell, or nobody knows. */
export function costIn(total: RunningTotal, update: SessionUpdate): number | undefined {
  if (update.sessionUpdate !== "usage_update") return undefined;
  const { amount, currency } = update.cost ?? {};
  if (amount === undefined || currency?.toUpperCase() !== "USD") return undefined;
  return amount >= 0 ? total.add(amount) : undefined;
}
