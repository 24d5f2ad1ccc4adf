/**
 * The key under which a call is remembered: the keyspace and the client's own key, with a digest of
 * everything else that was asked. Members may come in any order; what they say is what counts.
 */
import { createHash } from "node:crypto";
import type { Contract } from "@atrium/wire";

export interface CallKey {
  readonly id: string;
  readonly digest: string;
}

export function callKey(contract: Contract, params: unknown): CallKey | undefined {
  if (contract.idempotency === "none" || contract.idempotency === "frame") return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- valid params of a method with effects
  const { idempotencyKey, ...rest } = params as { idempotencyKey?: string };
  if (idempotencyKey === undefined) return undefined;
  return keyFor(contract.keyspace, idempotencyKey, rest);
}

export function keyFor(keyspace: string, given: string, content: unknown): CallKey {
  // Quoted as JSON, because a client may send what no name can hold: NUL, half a surrogate pair.
  return { id: `${keyspace}:${JSON.stringify(given)}`, digest: digestOf(content) };
}

/** The same for the same content, whatever order its members come in. */
export function digestOf(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content, sortMembers)).digest("base64url");
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
