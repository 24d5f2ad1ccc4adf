import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openSqliteLog } from "@atrium/log";
import { chooseSeed, createRandom } from "../kit/random.ts";
import type { Connected, Frame } from "../kit/raw-peer.ts";
import { startServer, withHome } from "../kit/server-process.ts";

const KILLS = 30;
const CONVERSATIONS = ["main", "agent:eng_1:main", "notes"];
const MODES = ["followup", "steer", "collect", "interrupt"];
const ENDINGS = new Set(["run.completed", "run.failed", "run.aborted", "run.merged"]);

const LOST: Pick<Frame, "ok" | "error"> = {};

interface Sent {
  readonly runId: string;
  readonly params: object;
}

test("[GW-23] over thirty kills in a busy chat every message is kept once and ends once", async (t) => {
  const seed = chooseSeed();
  t.diagnostic(`seed ${seed}`);
  const random = createRandom(seed);
  await withHome(async (home) => {
    const acknowledged = new Set<string>();
    let unanswered: Sent[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await using server = await startServer(home);
      const peer = await server.connect();
      const dead = setTimeout(random() * 400).then(() => server.end("SIGKILL"));
      // What the crash left open is sent again with the same key, whatever had become of it.
      const left = unanswered;
      unanswered = [];
      await Promise.all(left.map((sent) => send(peer, sent)));
      await Promise.all(
        CONVERSATIONS.map(async (sessionKey, lane) => {
          for (let n = 0; !(await send(peer, make(sessionKey, lane, kill, n))); n++) {
            await setTimeout(50 + random() * 150);
          }
        }),
      );
      await dead;
    }

    await using server = await startServer(home);
    await using peer = await server.connect();
    for (const sent of unanswered) assert.equal(await send(peer, sent), false);
    for (const runId of acknowledged) {
      const { status } = await peer.ask("agent.wait", { runId, timeoutMs: 60_000 });
      assert.notEqual(status, "timeout", runId);
    }
    await server.end();
    t.diagnostic(`${acknowledged.size} messages over ${KILLS} kills`);
    await proveOnce(home, acknowledged);

    /** True when the server died first. */
    async function send(to: Connected, sent: Sent): Promise<boolean> {
      const { ok, error } = await to.request("chat.send", sent.params).catch(() => LOST);
      // One that was taken and interrupted is answered with how it ended.
      if (ok === true || error?.message.includes("stopped while this turn")) {
        acknowledged.add(sent.runId);
        return false;
      }
      unanswered.push(sent);
      return true;
    }
  });

  function make(sessionKey: string, lane: number, kill: number, n: number): Sent {
    const runId = `${kill}-${lane}-${n}-${Math.floor(random() * 1e9)}`;
    const queueMode = MODES[Math.floor(random() * MODES.length)];
    const pause = Math.floor(random() * 30);
    // Each call is another one: the same again and again would rightly be stopped and asked about.
    const message = `[[sleep: ${pause}ms]] [[tool: look {"n":"${runId}"}]] [[say: ${runId}]]`;
    return { runId, params: { sessionKey, message, queueMode, idempotencyKey: runId } };
  }
});

async function proveOnce(home: string, acknowledged: ReadonlySet<string>): Promise<void> {
  await using log = await openSqliteLog({ file: join(home, "atrium.db"), durability: "full" });
  const counts = new Map<string, number>();
  const count = (what: string, runId: string): void => {
    counts.set(`${what} ${runId}`, (counts.get(`${what} ${runId}`) ?? 0) + 1);
  };
  for await (const { type, data } of log.read()) {
    const { runId } = data as { readonly runId?: string };
    if (runId === undefined) continue;
    if (type === "run.requested") count("asked", runId);
    if (type === "run.started") count("started", runId);
    if (ENDINGS.has(type)) count("ended", runId);
  }
  for (const runId of acknowledged) {
    assert.equal(counts.get(`asked ${runId}`), 1, runId);
    assert.equal(counts.get(`ended ${runId}`), 1, runId);
    assert.ok((counts.get(`started ${runId}`) ?? 0) <= 1, runId);
  }
  const asked = [...counts.keys()].filter((key) => key.startsWith("asked "));
  assert.equal(asked.length, acknowledged.size);
}
