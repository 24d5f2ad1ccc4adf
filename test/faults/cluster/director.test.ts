/** Real nodes over a real nats-server: the one that directs is killed, stopped, woken and restarted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Entry, Log } from "@atrium/log";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { leaseEvents } from "../../kit/atrium-cluster.ts";
import { begin, ended, send } from "../../kit/chat-runs.ts";
import { startCluster, type ClusterProcesses } from "../../kit/cluster-processes.ts";
import { readServerCopies } from "../../kit/nats/server-copies.ts";
import { gone, isAlive } from "../../kit/processes.ts";
import { programCrew } from "../../kit/program-crew.ts";
import type { Connected, RawPeer } from "../../kit/raw-peer.ts";
import { entriesIn, type ChainEntry } from "./chain-entries.ts";
import { LEASE } from "./office-checks.ts";

const skip = skipWithout("nats-server");
const ENDINGS = new Set(["run.completed", "run.failed", "run.aborted", "run.merged"]);
const LANES = ["main", "agent:eng_1:main", "notes"];
/** Of one who is turned away, at all nodes together. */
const MAX_TRIES = 500;
const WRITER = "agent:writer:main";
/** Longer than it takes to start them, on a busy machine too. */
const PENDING_MS = 4_000;
/** Says which process it is, and works on until it is ended, or left alone by a server that was killed. */
const BUSY =
  "const { ppid } = process; console.log(process.pid); setInterval(() => process.ppid === ppid || process.exit(), 200)";

interface RunData {
  readonly runId?: string;
  readonly kind?: string;
}

const dataOf = ({ data }: Entry): RunData => data as RunData;

async function runEntries(log: Pick<Log, "read">, runId: string): Promise<readonly Entry[]> {
  const entries = await Array.fromAsync(log.read());
  return entries.filter((entry) => dataOf(entry).runId === runId && entry.type.startsWith("run."));
}

async function typesOf(log: Pick<Log, "read">, runId: string): Promise<readonly string[]> {
  const entries = await runEntries(log, runId);
  return entries.map(({ type }) => type);
}

/** No run was started or ended twice. Resolves with those that ended. */
async function proveOnce(log: Pick<Log, "read">): Promise<ReadonlySet<string>> {
  const [started, over] = [new Set<string>(), new Set<string>()];
  for await (const entry of log.read()) {
    const { runId } = dataOf(entry);
    const seen =
      entry.type === "run.started" ? started : ENDINGS.has(entry.type) ? over : undefined;
    if (runId === undefined || seen === undefined) continue;
    assert.ok(!seen.has(runId), `${runId}: a second ${entry.type}`);
    seen.add(runId);
  }
  return over;
}

/** Resolves with the process that works on it. */
async function startAgent(peer: RawPeer, runId: string): Promise<number> {
  await send(peer, runId, "work", { sessionKey: WRITER });
  const { payload } = await peer.first(
    (frame) => frame.payload?.runId === runId && frame.payload.state === "delta",
  );
  const pid = Number(payload.message.content[0].text);
  assert.ok(isAlive(pid));
  return pid;
}

test(
  "[NODE-2] [NODE-9] the director is killed: another node answers, its run fails once",
  { skip },
  async (t) => {
    await using cluster = await startCluster();
    const first = await cluster.director();
    const other = await cluster.other();
    await using peer = await other.connect();
    await begin(peer, "run-1", "[[say: one]] [[sleep: 60s]]");
    await first.end("SIGKILL");
    const since = performance.now();
    await send(peer, "run-2", "[[say: two]]", { sessionKey: "agent:eng_1:main" });
    assert.equal((await ended(peer, "run-2")).payload.state, "final");
    t.diagnostic(`answered ${Math.round(performance.now() - since)} ms after the kill`);
    assert.equal((await ended(peer, "run-1")).payload.state, "error");
    assert.deepEqual(await typesOf(cluster.log, "run-1"), [
      "run.requested",
      "run.started",
      "run.failed",
    ]);
    await proveOnce(cluster.log);
  },
);

/** Runs that are about to write when they are stopped: one asks for something that nobody has heard of, one ends. */
const PENDING = new Map([
  ["run-asks", `[[sleep: ${PENDING_MS}ms]] [[approve: Bash make]]`],
  ["run-ends", `[[sleep: ${PENDING_MS}ms]] [[say: late]]`],
]);

/** What a life wrote, as the servers have it, after the grant that replaced it. */
async function writtenLate({ nats, log }: ClusterProcesses): Promise<readonly ChainEntry[]> {
  const [replaced] = await leaseEvents(log);
  const [copy = new Map()] = await readServerCopies(nats, "atrium");
  const entries = entriesIn(copy);
  const grant = entries.findIndex(({ stream }, at) => stream === LEASE && isSecond(entries, at));
  assert.ok(replaced?.type === "lease.granted" && grant > 0);
  return entries.slice(grant).filter(({ author }) => author.life === replaced.life);
}

const isSecond = (entries: readonly ChainEntry[], at: number): boolean =>
  entries.slice(0, at).filter(({ stream }) => stream === LEASE).length === 1;

test(
  "[NODE-3] [NODE-10] the director is stopped and wakes: it writes nothing, ends its agents, and serves again",
  { skip },
  async (t) => {
    await using cluster = await startCluster({ settings: programCrew("Writer", BUSY) });
    const first = await cluster.director();
    const other = await cluster.other();
    await using peer = await other.connect();
    const agent = await startAgent(peer, "run-1");
    for (const [runId, message] of PENDING) {
      await send(peer, runId, message, { sessionKey: `agent:main:${runId}` });
    }
    for (const runId of PENDING.keys()) {
      while (!(await typesOf(cluster.log, runId)).includes("run.started")) await setTimeout(10);
    }
    first.stop();
    const since = performance.now();
    for (const runId of ["run-1", ...PENDING.keys()]) {
      assert.equal((await ended(peer, runId)).payload.state, "error", runId);
    }
    t.diagnostic(`taken over ${Math.round(performance.now() - since)} ms after the stop`);
    await begin(peer, "run-2", "work", { sessionKey: WRITER });
    // What they waited for is over, so they write with the first thing that the process does.
    await setTimeout(Math.max(0, PENDING_MS - (performance.now() - since)));
    const { head } = cluster.log;
    first.wake();
    await gone([agent]);
    while (!(await first.journal()).includes("open again")) await setTimeout(50);
    await using back = await first.connect();
    // What other nodes' peers do now is still directed by the next one alone.
    await send(back, "run-3", "[[say: three]]");
    assert.equal((await ended(back, "run-3")).payload.state, "final");
    assert.deepEqual(await typesOf(cluster.log, "run-1"), [
      "run.requested",
      "run.started",
      "run.failed",
    ]);
    assert.deepEqual(await typesOf(cluster.log, "run-2"), ["run.requested", "run.started"]);
    const after = await Array.fromAsync(cluster.log.read({ after: head }));
    const strange = after.filter(
      (entry) => dataOf(entry).runId !== "run-3" && entry.type.startsWith("run."),
    );
    assert.deepEqual(strange, []);
    assert.equal((await leaseEvents(cluster.log)).length, 2);
    assert.deepEqual(await writtenLate(cluster), []);
    await proveOnce(cluster.log);
  },
);

test(
  "[NODE-4] [NODE-10] the director is cut off from the servers: its agents end, it serves on, and starts again once it is back",
  { skip },
  async () => {
    await using cluster = await startCluster({ settings: programCrew("Writer", BUSY) });
    const first = await cluster.director();
    const other = await cluster.other();
    await using peer = await other.connect();
    const agent = await startAgent(peer, "run-1");
    await using left = await first.connect();
    await first.way.cut();
    await gone([agent]);
    assert.equal((await ended(peer, "run-1")).payload.state, "error");
    // What it knows it still tells.
    const { sessions } = await left.ask("sessions.list", {});
    assert.ok(JSON.stringify(sessions).includes(WRITER));
    await first.way.heal();
    while (!(await first.journal()).includes("open again")) await setTimeout(50);
    await using back = await first.connect();
    await send(back, "run-2", "[[say: two]]");
    assert.equal((await ended(back, "run-2")).payload.state, "final");
    assert.equal((await leaseEvents(cluster.log)).length, 2);
    await proveOnce(cluster.log);
  },
);

test(
  "[NODE-16] a node with a run under way ends when it is asked to, also after its servers are gone",
  { skip },
  async () => {
    await using cluster = await startCluster({ names: ["a"] });
    const only = await cluster.director();
    const peer = await only.connect();
    await begin(peer, "run-1", "[[say: one]] [[sleep: 60s]]");
    await cluster.nats.kill(0);
    while ((await fetch(new URL("readyz", only.url))).ok) await setTimeout(50);
    assert.equal(await only.end("SIGTERM"), 0);
    await peer[Symbol.asyncDispose]();
  },
);

test(
  "[NODE-16] a node whose agents ask ends when it is asked to, also after its servers are gone",
  { skip },
  async () => {
    const settings = { budgets: { run: { tokens: 1_000 } } };
    await using cluster = await startCluster({ names: ["a", "b"], settings });
    const director = await cluster.director();
    const peer = await director.connect();
    const told = [peer.event("question.requested"), peer.event("exec.approval.requested")];
    await send(peer, "run-1", "[[tokens: 5000]] [[say: a lot]]");
    await send(peer, "run-2", "[[approve: shell npm publish]]", { sessionKey: "agent:main:may" });
    await Promise.all(told);
    await cluster.nats.kill(0);
    while (!(await director.journal()).includes("this node directs no more")) await setTimeout(50);
    assert.equal(await director.end("SIGTERM"), 0);
    await peer[Symbol.asyncDispose]();
  },
);

test(
  "[NODE-6] [NODE-11] three nodes are restarted one after the other under chats: nothing is lost or doubled",
  { skip },
  async (t) => {
    await using cluster = await startCluster();
    const names = [...cluster.nodes.keys()];
    const acknowledged = new Set<string>();
    const ending = new AbortController();

    /** With the same key at one node after the other, until one has taken it. */
    async function chat(lane: number): Promise<void> {
      let at = lane;
      let peer: Connected | undefined;
      for (let n = 0; !ending.signal.aborted; n++) {
        const runId = `${lane}-${n}`;
        for (;;) {
          try {
            const node = cluster.nodes.get(names[at % names.length] ?? "");
            peer ??= await node?.connect();
            if (peer === undefined) throw new Error("there is no such node");
            await send(peer, runId, `[[say: ${runId}]]`, { sessionKey: LANES[lane] });
            break;
          } catch (cause) {
            // Taken, and cut off before that was said: whoever asks again is told how it ended.
            if (String(cause).includes("Nothing of it is being done any more")) break;
            peer = undefined;
            at += 1;
            if (at > MAX_TRIES) throw cause;
            await setTimeout(30);
          }
        }
        acknowledged.add(runId);
        await setTimeout(40);
      }
      await peer?.[Symbol.asyncDispose]();
    }

    const chats = [...LANES.keys()].map(chat);
    for (const name of names) {
      await setTimeout(300);
      assert.equal(await cluster.nodes.get(name)?.end("SIGTERM"), 0);
      await cluster.start(name);
    }
    await setTimeout(300);
    ending.abort();
    await Promise.all(chats);
    t.diagnostic(`${acknowledged.size} messages over three restarts`);
    const node = await cluster.other();
    await using peer = await node.connect();
    for (const runId of acknowledged) {
      const { status } = await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
      assert.notEqual(status, "timeout", runId);
    }
    const done = await proveOnce(cluster.log);
    assert.deepEqual(
      [...acknowledged].filter((runId) => !done.has(runId)),
      [],
    );
    const events = await leaseEvents(cluster.log);
    // Nobody had to be missed: whoever left had given the lease up.
    for (const [index, { type }] of events.entries()) {
      assert.equal(type, index % 2 === 0 ? "lease.granted" : "lease.released");
    }
  },
);
