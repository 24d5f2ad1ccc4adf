import { createHash } from "node:crypto";

/** The same call of the same run has the same id, however often it is made. */
export function callId(what: string, runId: string, input: unknown): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([runId, input]))
    .digest("base64url");
  return `desk-${what}-${digest}`;
}
