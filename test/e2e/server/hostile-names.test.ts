import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Connected } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

/** Names that every plain object has already, or that mean something to JavaScript. */
const INHERITED = [
  "constructor",
  "__proto__",
  "prototype",
  "hasOwnProperty",
  "toString",
  "valueOf",
  "then",
  "toJSON",
  "length",
];

test("[CORE-13] a run named as a member of every object is answered, and is there after a restart", async () => {
  await withHome(async (home) => {
    const before = await (async () => {
      await using server = await startServer(home);
      await using peer = await server.connect();
      for (const name of INHERITED) {
        await peer.ask("chat.send", {
          sessionKey: "main",
          message: "[[say: hi]]",
          idempotencyKey: name,
        });
        const { status } = await peer.ask("agent.wait", { runId: name, timeoutMs: 60_000 });
        assert.equal(status, "ok", name);
      }
      const known = await read(peer);
      assert.equal(await server.end(), 0);
      return known;
    })();
    // Once from the snapshots it left, once more without a goodbye.
    for (const signal of ["SIGKILL", "SIGTERM"] as const) {
      await using server = await startServer(home);
      await using peer = await server.connect();
      assert.deepEqual(await read(peer), before);
      const again = { sessionKey: "main", message: "[[say: hi]]", idempotencyKey: "constructor" };
      assert.equal((await peer.ask("chat.send", again)).runId, "constructor");
      await server.end(signal);
    }
  });
});

test("a turn may be given more time than there is, and runs", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  for (const [method, params] of [
    ["agent", { timeout: 1e308 }],
    ["agent", { timeout: 2 ** 31 }],
    ["chat.send", { sessionKey: "main", timeoutMs: 2 ** 53 }],
    ["chat.send", { sessionKey: "main", timeoutMs: 1e308 }],
  ] as const) {
    const runId = `${method} ${JSON.stringify(params)}`;
    await peer.ask(method, { message: "[[say: hi]]", idempotencyKey: runId, ...params });
    const { status } = await peer.ask("agent.wait", { runId, timeoutMs: 60_000 });
    assert.equal(status, "ok", runId);
  }
  assert.deepEqual(atrium.faults, []);
});

async function read(peer: Connected): Promise<unknown> {
  const { messages } = await peer.ask("chat.history", { sessionKey: "main", limit: 1_000 });
  assert.equal(messages.length, 2 * INHERITED.length);
  const { sessions } = await peer.ask("sessions.list");
  return { messages, sessions: sessions.map(({ key }: { key: string }) => key) };
}
