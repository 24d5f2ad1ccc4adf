/** Times beyond what a timer of the machine can wait at once (2^31 ms, about 24 days). */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { systemTimers, sleep } from "../../apps/server/src/platform/timers.ts";
import { runServer, startServer, withHome } from "../kit/server-process.ts";

const DAY_MS = 24 * 60 * 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

test("[SERVER-2] a long sleep is long, and ends when it is aborted", async () => {
  for (const ms of [MAX_TIMER_MS + 1, 30 * DAY_MS, Number.MAX_SAFE_INTEGER]) {
    const leave = new AbortController();
    const first = await Promise.race([sleep(ms, leave.signal), setTimeout(20, "still asleep")]);
    assert.equal(first, "still asleep");
    const woken = sleep(ms, leave.signal);
    leave.abort();
    await assert.rejects(woken, { name: "AbortError" });
    let hasRun = false;
    const cancel = systemTimers.after(ms, () => (hasRun = true));
    await setTimeout(20);
    cancel();
    assert.equal(hasRun, false);
  }
});

test("[SERVER-2] turns of 30 days, and every other limit at its longest, work and warn of nothing", async () => {
  await withHome(async (home) => {
    const long = 366 * DAY_MS;
    const limits = {
      turnTimeoutMs: 30 * DAY_MS,
      answerTimeoutMs: long,
      pairingRequestMs: long,
      bridgeToolTimeoutMs: long,
      worldSilenceMs: long,
      buildSilenceMs: long,
      maxStallMs: MAX_TIMER_MS,
      handshakeTimeoutMs: MAX_TIMER_MS,
      pingIntervalMs: MAX_TIMER_MS,
      tickIntervalMs: MAX_TIMER_MS,
      healthIntervalMs: MAX_TIMER_MS,
      bodyTimeoutMs: MAX_TIMER_MS,
      keepAliveMs: MAX_TIMER_MS,
      bridgePingIntervalMs: MAX_TIMER_MS,
      closeGraceMs: MAX_TIMER_MS,
    };
    const runtimes = { fast: { type: "rehearsal", pace: 0 } };
    const agents = [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "fast" },
      {
        id: "agent_slow",
        name: "Slow",
        role: "engineer",
        runtime: "fast",
        limits: { turnTimeoutMs: 30 * DAY_MS },
      },
    ];
    const settings = { limits, runtimes, agents };
    await writeFile(join(home, "atrium.config.json"), JSON.stringify(settings));
    const server = await startServer(home);
    await using peer = await server.connect();
    for (const [sessionKey, timeoutMs] of [
      ["agent:main:main", undefined],
      ["agent:slow:main", undefined],
      ["agent:main:long", 40 * DAY_MS],
      ["agent:main:longest", Number.MAX_SAFE_INTEGER],
    ] as const) {
      const { runId } = await peer.ask("chat.send", {
        sessionKey,
        message: "[[sleep: 50ms]] [[say: Done.]]",
        idempotencyKey: sessionKey,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      const { status } = await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
      assert.equal(status, "ok", sessionKey);
    }
    assert.equal(await server.end(), 0);
    assert.equal((await server.exited).stderr, "");
  });
});

test("[SERVER-2] a limit that is absurd is an error that names it and what is allowed", async () => {
  await withHome(async (home) => {
    for (const [name, value, most] of [
      ["tickIntervalMs", 1e12, MAX_TIMER_MS],
      ["turnTimeoutMs", 1e15, 366 * DAY_MS],
    ] as const) {
      const settings = JSON.stringify({ limits: { [name]: value } });
      await writeFile(join(home, "atrium.config.json"), settings);
      const { code, stderr } = await runServer(home, ["--port", "0"]);
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`${name}.*${most}`));
    }
  });
});
