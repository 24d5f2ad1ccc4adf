/** What agents had asked when the server went: withdrawn with the reason where the run is over, asked again where it is taken up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, withHome, type ServerProcess } from "../kit/server-process.ts";

interface Decision {
  readonly status: string;
  readonly kind: string;
  readonly note?: string;
}

async function decisionsOf({ url, token }: ServerProcess): Promise<readonly Decision[]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL("/api/office", url), { headers });
  return ((await response.json()) as { decisions: readonly Decision[] }).decisions;
}

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  test(`[WORLD-17] after ${signal}, what a turn had asked is withdrawn because the server restarted`, async () => {
    await withHome(async (home) => {
      {
        await using server = await startServer(home);
        await using peer = await server.connect();
        const asked = [peer.event("exec.approval.requested"), peer.event("question.requested")];
        const say = (sessionKey: string, message: string): Promise<unknown> =>
          peer.ask("chat.send", { sessionKey, message, idempotencyKey: sessionKey });
        await say("agent:main:a", "[[approve: Bash npm test]]");
        await say("agent:main:b", "[[ask: Which? | A | B]]");
        await Promise.all(asked);
        await server.end(signal);
      }
      await using server = await startServer(home);
      const decisions = await decisionsOf(server);
      const kinds = new Set(decisions.map(({ kind }) => kind));
      assert.deepEqual(kinds, new Set(["permission", "question"]));
      for (const { status, note } of decisions) {
        assert.deepEqual([status, note], ["expired", "Withdrawn: the server restarted."]);
      }
    });
  });
}
