/** A real server whose clock jumps: by hours and days, back and forth, while it runs and between two lives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { preload } from "../kit/preload.ts";
import type { RawPeer } from "../kit/raw-peer.ts";
import { startServer, withHome, type ServerProcess } from "../kit/server-process.ts";

const HOUR_MS = 60 * 60_000;

/** Each SIGUSR2 takes the clock one step further; the first life begins with the true time. */
const jumping = (steps: readonly number[]): Readonly<Record<string, string>> =>
  preload(`
    const { now } = Date;
    const steps = ${JSON.stringify(steps)};
    let offset = steps.shift();
    Date.now = () => now.call(Date) + offset;
    process.on("SIGUSR2", () => { offset = steps.shift() ?? offset; });`);

async function jump(server: ServerProcess, peer: RawPeer): Promise<number> {
  const { ts: before } = await peer.ask("sessions.list", { limit: 1 });
  process.kill(server.pid, "SIGUSR2");
  for (;;) {
    const { ts } = await peer.ask("sessions.list", { limit: 1 });
    if (Math.abs(ts - before) > HOUR_MS / 2) return ts - before;
  }
}

async function converse(peer: RawPeer, words: string): Promise<void> {
  const sent = {
    sessionKey: "agent:main:main",
    message: `[[say: ${words}]]`,
    idempotencyKey: words,
  };
  const { runId } = await peer.ask("chat.send", sent);
  const { status } = await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
  assert.equal(status, "ok", words);
  // Asked again it is the same run, whatever the clock says.
  assert.equal((await peer.ask("chat.send", sent)).runId, runId);
}

async function texts(peer: RawPeer): Promise<readonly string[]> {
  const { messages } = await peer.ask("chat.history", {
    sessionKey: "agent:main:main",
    limit: 100,
  });
  return messages
    .filter(({ role }: { role: string }) => role === "assistant")
    .map(({ content }: { content: { text: string }[] }) => content[0]?.text.trim());
}

async function request(peer: RawPeer, id: string, timeoutMs: number): Promise<void> {
  const asked = { id, command: `echo ${id}`, timeoutMs, twoPhase: true };
  await peer.ask("exec.approval.request", asked);
}

test("[SERVER-14] a clock that jumps a day back, a week forward and back again loses nothing and stops nothing", async () => {
  await withHome(async (home) => {
    const said: string[] = [];
    {
      const steps = [0, -24 * HOUR_MS, 7 * 24 * HOUR_MS, 0];
      await using server = await startServer(home, { env: jumping(steps) });
      await using peer = await server.connect();
      for (let step = 0; step < steps.length; step++) {
        if (step > 0) await jump(server, peer);
        await converse(peer, `step ${step}`);
        said.push(`step ${step}`);
        await request(peer, `a${step}`, 60 * HOUR_MS);
        assert.deepEqual(await texts(peer), said);
      }
      // All of them are open, and can be decided, in whatever time they were asked.
      const open: { id: string }[] = await peer.ask("exec.approval.list", {});
      assert.deepEqual(open.map(({ id }) => id).toSorted(), ["a0", "a1", "a2", "a3"]);
      await peer.ask("exec.approval.resolve", { id: "a1", decision: "deny" });
      assert.equal(await server.end(), 0);
    }
    // Between two lives a month back: the newest entries are then from the future.
    await using server = await startServer(home, { env: jumping([-30 * 24 * HOUR_MS]) });
    await using peer = await server.connect();
    assert.deepEqual(await texts(peer), said);
    await converse(peer, "a month ago");
    assert.deepEqual(await texts(peer), [...said, "a month ago"]);
    const sent = {
      sessionKey: "agent:main:main",
      message: "[[say: step 0]]",
      idempotencyKey: "step 0",
    };
    await peer.ask("chat.send", sent);
    assert.deepEqual(await texts(peer), [...said, "a month ago"]);
    const { sessions } = await peer.ask("sessions.list", { limit: 10 });
    assert.equal(sessions.length, 1);
    assert.equal(await server.end(), 0);
  });
});
