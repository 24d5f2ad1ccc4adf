/** Logs with entries in them that nobody can read: in each projection, in each stream, and under a whole server. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { findEventProblem, type Projection } from "@atrium/core";
import type { Entry } from "@atrium/log";
import { runCli } from "../kit/cli-process.ts";
import { createTestDevice } from "../kit/device.ts";
import { createProjections } from "../kit/folded-state.ts";
import { askEverything } from "../kit/home-answers.ts";
import { copyOldHome } from "../kit/old-homes.ts";
import { appendPoison, oneOfEach, poisonsOf, readLog } from "../kit/poison.ts";
import { introduce, openPeer, type Frame } from "../kit/raw-peer.ts";
import { startServer, withHome, type ServerProcess } from "../kit/server-process.ts";

const HOME = "0.1.0-e6fb022";
const ARGS = { args: ["--agents", "fast"] };

function textOf(projection: Projection): string {
  const saved = projection.save();
  assertPlain(saved, projection.name);
  return JSON.stringify(saved);
}

/** JSON makes nothing of a map and says nothing about it. */
function assertPlain(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) return;
  const prototype: unknown = Object.getPrototypeOf(value);
  assert.ok([Array.prototype, Object.prototype, null].includes(prototype as object), path);
  for (const [name, member] of Object.entries(value)) assertPlain(member, `${path}/${name}`);
}

test("[CORE-8] a projection that cannot fold an entry is as it was before it, whatever is wrong with the entry", async () => {
  await withHome(async (home) => {
    await copyOldHome(HOME, home);
    const entries = readLog(join(home, "atrium.db"));
    const wanted = new Set(oneOfEach(entries).map(({ seq }) => seq));
    const projections = createProjections();
    let tried = 0;
    let failed = 0;
    for (const entry of entries) {
      // What is flawed is shown to no projection; the rest looks right from outside.
      const poisons = (wanted.has(entry.seq) ? [...poisonsOf(entry)] : []).filter(
        (poison) => findEventProblem(poison.entry) === undefined,
      );
      for (const projection of projections) {
        const before = textOf(projection);
        for (const { how, entry: poison } of poisons) {
          tried++;
          try {
            projection.apply(poison);
            if (textOf(projection) === before) continue;
          } catch {
            failed++;
            assert.equal(textOf(projection), before, `${projection.name}: ${entry.type} ${how}`);
          }
          projection.load(JSON.parse(before));
          assert.equal(textOf(projection), before, `${projection.name} loads what it saved`);
        }
        projection.apply(entry);
      }
    }
    assert.ok(tried > 10_000 && failed > 0, `${failed} of ${tried}`);
  });
});

test("[CORE-8] an entry is judged before anyone folds it: what lacks a member that every such event has is flawed", async () => {
  await withHome(async (home) => {
    await copyOldHome(HOME, home);
    const entries = readLog(join(home, "atrium.db"));
    for (const entry of entries) {
      assert.equal(findEventProblem(entry), undefined, JSON.stringify(entry));
    }
    for (const entry of oneOfEach(entries)) {
      for (const { how, entry: poison } of poisonsOf(entry)) {
        const problem = findEventProblem(poison);
        if (/^(data is (undefined|null|1|"text"|\[)|unknown|no stream|time)/.test(how)) {
          assert.notEqual(problem, undefined, `${entry.type} ${how}`);
          const isUnknown = /^(unknown|no stream|type of another)/.test(how);
          assert.equal(problem?.kind, isUnknown ? "unknown" : "damaged", how);
        }
        if (how === "newer fields") assert.equal(problem, undefined, entry.type);
      }
    }
  });
});

/** Figures of the server by name and label. */
async function figures(server: ServerProcess): Promise<ReadonlyMap<string, number>> {
  const headers = { authorization: `Bearer ${server.token}` };
  const text = await (await fetch(new URL("metrics", server.url), { headers })).text();
  const lines = text.matchAll(/^(atrium_\w+(?:\{[^}]*\})?) (\d+)$/gm);
  return new Map([...lines].map(([, name = "", value]) => [name, Number(value)]));
}

const leftOut = (seen: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...seen].filter(([name]) => /^atrium_(quarantined|unknown)_/.test(name));

test("[CORE-8] [SERVER-8] a server opens on a log with every kind of bad entry, twice, and goes on as if they were not there", async () => {
  await withHome(async (home) => {
    const { pollIds } = await copyOldHome(HOME, home);
    const file = join(home, "atrium.db");
    const good = readLog(file);
    const poisons = oneOfEach(good)
      .flatMap((entry) => [...poisonsOf(entry)].map(({ entry: poison }) => elsewhere(poison)))
      .filter((entry) => findEventProblem(entry) !== undefined);
    assert.ok(poisons.length > 1_000, String(poisons.length));
    let before: unknown;
    let counts: unknown;
    {
      await using server = await startServer(home, ARGS);
      before = await askEverything(server, pollIds);
      await server.end();
    }
    appendPoison(file, poisons);
    for (const start of ["first", "second"]) {
      await using server = await startServer(home, ARGS);
      const seen = leftOut(await figures(server));
      const damaged = poisons.filter((entry) => findEventProblem(entry)?.kind === "damaged").length;
      assert.deepEqual(seen[0], ['atrium_quarantined_entries{reader="all"}', damaged]);
      const unknown = seen.slice(1).reduce((sum, [, count]) => sum + count, 0);
      assert.equal(unknown, poisons.length - damaged);
      assert.deepEqual(seen, (counts ??= seen), start);
      assert.deepEqual(await askEverything(server, pollIds), before, start);
      await server.end();
      assert.equal((await server.exited).code, 0);
    }
    await using server = await startServer(home, ARGS);
    // Also where such an entry is in the conversation's own stream.
    for (const sessionKey of ["poisoned", "agent:main:main"]) await converse(server, sessionKey);
  });
});

test("[CORE-8] [SERVER-8] entries that only look right cost a server no more than themselves", async () => {
  await withHome(async (home) => {
    await copyOldHome(HOME, home);
    const file = join(home, "atrium.db");
    const poisons = oneOfEach(readLog(file))
      .flatMap((entry) => [...poisonsOf(entry)].map(({ entry: poison }) => elsewhere(poison)))
      .filter((entry) => findEventProblem(entry) === undefined);
    assert.ok(poisons.length > 1_000, String(poisons.length));
    appendPoison(file, poisons);
    let counts: unknown;
    for (const start of ["first", "second"]) {
      await using server = await startServer(home, ARGS);
      const seen = leftOut(await figures(server));
      assert.ok(seen.length > 0);
      assert.deepEqual(seen, (counts ??= seen), start);
      await converse(server, "agent:main:main");
      assert.equal(await server.end(), 0, start);
    }
  });
});

test("[CLI-23] [CORE-10] doctor tells damaged entries from those of a newer server, each type of which the journal names once", async () => {
  await withHome(async (home) => {
    await copyOldHome(HOME, home);
    const file = join(home, "atrium.db");
    const [entry] = readLog(file).filter(({ type }) => type === "device.granted");
    assert.ok(entry);
    for (const isPoisoned of [false, true]) {
      const later = { ...entry, type: "device.later" };
      const newer = { ...entry, data: { $version: 2, $event: {} } };
      const poisons = [entry, later, later, newer, { ...entry, data: 1 }, { ...entry, data: 2 }];
      if (isPoisoned) appendPoison(file, poisons);
      await using server = await startServer(home, ARGS);
      const { stdout, code } = await runCli(["doctor", "--json", "--home", home]);
      const { findings } = JSON.parse(stdout) as { findings: { about: string; says: string }[] };
      const said = findings.filter(({ about }) => /entries$|^listeners/.test(about));
      const expected = [
        "2 entries of the log could not be read (all: 2)",
        "3 entries of the log of a type or version unknown to this server (device.later: 2, device.granted: 1)",
      ];
      assert.deepEqual(
        said.map(({ says }) => says),
        isPoisoned ? expected : [],
      );
      assert.equal(code, 0);
      await server.end();
      const journal = await readFile(join(home, "atrium.log"), "utf8");
      assert.equal(journal.match(/"msg":"[^"]*quarantined/g)?.length ?? 0, isPoisoned ? 2 : 0);
      const unknown = journal.matchAll(/"msg":"([\w.]+): entries of a type or version unknown/g);
      const types = Array.from(unknown, ([, type]) => type);
      assert.deepEqual(types, isPoisoned ? ["device.later", "device.granted"] : []);
    }
  });
});

test("[CORE-12] a device that a newer server suspended stays out, by its token and by the shared one, until a person lets it in", async () => {
  await withHome(async (home) => {
    const device = createTestDevice();
    const scopes = ["operator.read"];
    const knock = async (server: ServerProcess, token = server.token): Promise<Frame> => {
      await using peer = await openPeer(server.wsUrl);
      const auth = { token };
      const proof = { token, scopes };
      return await introduce(peer, { scopes, auth, device: (told) => device.prove(told, proof) });
    };
    let deviceToken = "";
    {
      await using server = await startServer(home);
      const { payload } = await knock(server);
      deviceToken = payload.auth.deviceToken;
      assert.equal((await knock(server, deviceToken)).ok, true);
      await server.end();
    }
    const at = Date.now();
    const stream = `device/${device.id}`;
    appendPoison(join(home, "atrium.db"), [
      { seq: 0, stream, type: "device.suspended", at, data: { deviceId: device.id } },
    ]);
    for (const start of ["first", "second"]) {
      await using server = await startServer(home);
      assert.equal((await knock(server, deviceToken)).ok, false, start);
      const { error } = await knock(server);
      assert.equal(error?.code, "NOT_PAIRED", start);
      assert.ok(error.details.requestId);
      if (start === "second") {
        await using operator = await server.connect();
        await operator.ask("device.pair.approve", { requestId: error.details.requestId });
        assert.equal((await knock(server)).ok, true);
        assert.equal((await knock(server, deviceToken)).ok, false);
      }
      await server.end();
    }
  });
});

async function converse(server: ServerProcess, sessionKey: string): Promise<void> {
  await using peer = await server.connect();
  const idempotencyKey = `${sessionKey} ${server.pid}`;
  const sent = { sessionKey, message: "[[say: Still here.]]", idempotencyKey };
  const { runId } = await peer.ask("chat.send", sent);
  const { status } = await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
  assert.equal(status, "ok", sessionKey);
  const { messages } = await peer.ask("chat.history", { sessionKey, limit: 10 });
  assert.match(JSON.stringify(messages.at(-1)), /Still here\./);
  await peer.ask("sessions.list", { limit: 200 });
}

/** In a stream of its own kind that has nothing else in it, so that nothing good is lost with it. */
function elsewhere(entry: Entry): Entry {
  const kind = entry.stream.split("/")[0] ?? "";
  return { ...entry, stream: `${kind}/poisoned` };
}
