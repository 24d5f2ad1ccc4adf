/**
 * Under which a command is remembered. Clients number from `cmd_001` anew with every page they load, so
 * the id alone says little: the same id with the same content is the same command, also after a restart.
 */
import { createHash } from "node:crypto";
import { digestOf, type CallKey } from "../../../pipeline/idempotency.ts";

export function commandKey(id: string, name: string, data: unknown): CallKey {
  const digest = digestOf({ name, data });
  // Ids may hold what the log's names may not.
  const named = createHash("sha256")
    .update(`${JSON.stringify(id)} ${digest}`)
    .digest("base64url");
  return { id: `world:${named}`, digest };
}
