/** Homes that earlier versions made are opened as copies by this one; see test/fixtures/homes. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { attend, isFinished } from "../../kit/attend.ts";
import { filesWith } from "../../kit/files-with.ts";
import { foldState } from "../../kit/folded-state.ts";
import { askEverything, readEntries } from "../../kit/home-answers.ts";
import { copyOldHome, listOldHomes, OLD_HOMES } from "../../kit/old-homes.ts";
import { readLog } from "../../kit/poison.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- whatever was answered
type Json = any;

const ARGS = { args: ["--agents", "fast"] };

/** Where this version answers otherwise on purpose; each with the reason, each proven by a test of its own. */
const CHANGED: readonly { readonly path: RegExp; readonly why: string }[] = [];

/** Without what was told of a conversation that was deleted: [SERVER-6]. */
function withoutDeleted({ signals = [], ...answers }: Json): object {
  const isOthers = ({ signal }: Json): boolean =>
    signal.metadata?.conversationKey !== "agent:main:gone";
  return { ...answers, signals: signals.filter(isOthers) };
}

/** Everything that was answered is answered again; what is new beside it is no loss. */
function differences(was: unknown, is: unknown, path = ""): readonly string[] {
  if (CHANGED.some((changed) => changed.path.test(path))) return [];
  if (typeof was !== "object" || was === null || typeof is !== "object" || is === null) {
    const same = Object.is(was, is);
    return same ? [] : [`${path}: was ${JSON.stringify(was)}, is ${JSON.stringify(is)}`];
  }
  if (Array.isArray(was) && Array.isArray(is) && is.length !== was.length) {
    return [`${path}: were ${was.length}, are ${is.length}`];
  }
  return Object.entries(was).flatMap(([name, value]) =>
    differences(value, (is as Record<string, unknown>)[name], `${path}/${name}`),
  );
}

/** Entries as they are, but without what was said in the conversation that was deleted. */
function keptOf(entries: readonly Json[]): readonly Json[] {
  return entries.map(({ data, ...entry }) => ({ ...entry, data: isDeleted(entry) ? "" : data }));
}

const isDeleted = ({ stream }: Json): boolean => stream === "conversation/agent:main:gone";

const homes = await listOldHomes();

test("[SERVER-6] there is a home of every version", () => {
  assert.deepEqual(homes, ["0.1.0-e6fb022", "0.2.0"]);
});

for (const name of homes) {
  test(`[CORE-9] the log of ${name} folds to the state that is kept with it`, async () => {
    await withHome(async (home) => {
      await copyOldHome(name, home);
      const expected = await readFile(join(OLD_HOMES, name, "expected-state.json"), "utf8");
      const state = foldState(readLog(join(home, "atrium.db")));
      // As values first: what differs is shown.
      assert.deepEqual(JSON.parse(state), JSON.parse(expected));
      assert.equal(state, expected, "npm run home -- --states");
    });
  });

  test(`[SERVER-6] the home of ${name} opens and keeps everything, also the second time`, async () => {
    await withHome(async (home) => {
      const { pollIds, answers } = await copyOldHome(name, home);
      const file = join(home, "atrium.db");
      const entries = readEntries(file);
      for (let start = 0; start < 2; start++) {
        await using server = await startServer(home, ARGS);
        assert.equal(server.token, (await readFile(join(home, "token"), "utf8")).trim());
        const told = await askEverything(server, pollIds);
        assert.deepEqual(differences(withoutDeleted(answers), withoutDeleted(told)), []);
        assert.equal(await server.end(), 0);
        assert.deepEqual(keptOf(readEntries(file).slice(0, entries.length)), keptOf(entries));
      }
    });
  });

  test(`[SERVER-6] the home of ${name} goes on: every conversation takes one more message`, async () => {
    await withHome(async (home) => {
      await copyOldHome(name, home);
      await using server = await startServer(home, ARGS);
      await using peer = await server.connect();
      const { sessions } = await peer.ask("sessions.list", { limit: 200 });
      for (const [n, { key: sessionKey }] of sessions.entries()) {
        const message = "[[say: Still here.]]";
        const sent = { sessionKey, message, idempotencyKey: `after the upgrade ${n}` };
        const { runId } = await peer.ask("chat.send", sent);
        await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
        const { messages } = await peer.ask("chat.history", { sessionKey });
        assert.match(JSON.stringify(messages.at(-1)), /Still here\./, sessionKey);
      }
    });
  });

  test(`[SERVER-6] the projects of ${name} can be finished`, async () => {
    await withHome(async (home) => {
      await copyOldHome(name, home);
      await using server = await startServer(home, ARGS);
      let office = await attend(server);
      assert.ok(office.projects.length > 0);
      while (!isFinished(office)) {
        await setTimeout(100);
        office = await attend(server);
      }
    });
  });

  test(`[SERVER-7] the home of ${name}: what 0.1.0 had always allowed is void, listed, noted in the journal, and asked again; what later ones had holds`, async () => {
    await withHome(async (home) => {
      await copyOldHome(name, home);
      await using server = await startServer(home, ARGS);
      await using peer = await server.connect();
      const { rules } = await peer.ask("exec.approval.rules.list", {});
      const isOld = (rule: { readonly scope?: string }): boolean => rule.scope === undefined;
      const isVoid = name === "0.1.0-e6fb022";
      assert.ok(rules.length > 0 && rules.every((rule: Json) => isOld(rule) === isVoid));
      const { file } = await peer.ask("exec.approvals.get", {});
      assert.equal(Object.keys(file.agents).length === 0, isVoid, JSON.stringify(file.agents));
      const journal = await readFile(join(home, "atrium.log"), "utf8");
      assert.equal(/covered more than was read/.test(journal), rules.some(isOld));
      for (const { id } of rules) await peer.ask("exec.approval.rules.revoke", { id });
      assert.deepEqual((await peer.ask("exec.approval.rules.list", {})).rules, []);
    });
  });
}

test("[SERVER-6] what an earlier version had deleted without erasing it is erased at the first start, once, with a line in the journal", async () => {
  await withHome(async (home) => {
    await copyOldHome("0.1.0-e6fb022", home);
    const { id } = deleteAsBefore(join(home, "atrium.db"));
    const texts = ["Soon gone.", "sailors"];
    for (const text of texts) assert.notDeepEqual(await filesWith(home, text), [], text);
    for (let start = 0; start < 2; start++) {
      await using server = await startServer(home, ARGS);
      await using peer = await server.connect();
      for (const text of texts) assert.deepEqual(await filesWith(home, text), [], text);
      const { messages } = await peer.ask("chat.history", { sessionKey: "agent:main:gone" });
      assert.match(JSON.stringify(messages), /It began anew\./);
      assert.match(JSON.stringify(await peer.ask("exec.approval.get", { id })), /make hay/);
      const { messages: others } = await peer.ask("chat.history", { sessionKey: "main" });
      assert.match(JSON.stringify(others), /Hello there/);
    }
    const journal = await readFile(join(home, "atrium.log"), "utf8");
    const lines = journal
      .split("\n")
      .filter((line) => line.includes("earlier version had deleted"));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).count),
      [2],
    );
  });
});

/**
 * Deletes a build's conversation as that version did, and begins the one that it had deleted itself again, with something
 * asked in it: what is there now is not what was deleted.
 */
function deleteAsBefore(file: string): { readonly id: string } {
  using db = new DatabaseSync(file);
  const add = db.prepare(
    "insert into entries (seq, stream, type, at, data) select max(seq) + 1, ?, ?, max(at) + 1, ? from entries",
  );
  const { stream } = db
    .prepare("select stream from entries where type = 'run.requested' and data like '%sailors%'")
    .get() as Json;
  add.run(stream, "conversation.deleted", "{}");
  const key = "agent:main:gone";
  const opened = { key, agentId: "agent_bd", handle: "main", isMain: false, sessionId: "s2" };
  add.run(`conversation/${key}`, "conversation.opened", JSON.stringify(opened));
  const injected = { messageId: "m2", text: "It began anew.", label: null };
  add.run(`conversation/${key}`, "message.injected", JSON.stringify(injected));
  const [asked] = db
    .prepare("select data from entries where type = 'approval.requested' limit 1")
    .all() as Json[];
  const { subject, ...request } = JSON.parse(asked.data);
  const id = "e77a31fc-995e-404e-9b09-1cbe809cd935";
  const about = { ...subject, conversationKey: key, summary: "make hay" };
  const wanted = { ...request, id, code: "abcde", subject: about };
  add.run(`approval/${id}`, "approval.requested", JSON.stringify(wanted));
  return { id };
}
