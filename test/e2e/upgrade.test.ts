/** Homes that earlier versions made are opened as copies by this one; see test/fixtures/homes. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { askEverything, readEntries } from "../kit/home-answers.ts";
import { copyOldHome, listOldHomes } from "../kit/old-homes.ts";
import { startServer, withHome } from "../kit/server-process.ts";

const ARGS = { args: ["--agents", "fast"] };

/** Where this version answers otherwise on purpose; each with the reason, each proven by a test of its own. */
const CHANGED: readonly { readonly path: RegExp; readonly why: string }[] = [];

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

const homes = await listOldHomes();

test("[SERVER-340] there is a home of the version before this one", () => {
  assert.ok(homes.includes("0.1.0-e6fb022"), homes.join(", "));
});

for (const name of homes) {
  test(`[SERVER-340] the home of ${name} opens and keeps everything, also the second time`, async () => {
    await withHome(async (home) => {
      const { pollIds, answers } = await copyOldHome(name, home);
      const file = join(home, "atrium.db");
      const entries = readEntries(file);
      for (let start = 0; start < 2; start++) {
        await using server = await startServer(home, ARGS);
        assert.equal(server.token, (await readFile(join(home, "token"), "utf8")).trim());
        assert.deepEqual(differences(answers, await askEverything(server, pollIds)), []);
        assert.equal(await server.end(), 0);
        assert.deepEqual(readEntries(file).slice(0, entries.length), entries);
      }
    });
  });

  test(`[SERVER-340] the home of ${name} goes on: every conversation takes one more message`, async () => {
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

  test(`[SERVER-360] the home of ${name}: what was always allowed is void, listed, noted in the journal, and asked again`, async () => {
    await withHome(async (home) => {
      await copyOldHome(name, home);
      await using server = await startServer(home, ARGS);
      await using peer = await server.connect();
      const { rules } = await peer.ask("exec.approval.rules.list", {});
      const isOld = (rule: { readonly scope?: string }): boolean => rule.scope === undefined;
      if (name === "0.1.0-e6fb022") assert.ok(rules.length > 0 && rules.every(isOld));
      assert.deepEqual((await peer.ask("exec.approvals.get", {})).file.agents, {});
      const journal = await readFile(join(home, "atrium.log"), "utf8");
      assert.equal(/covered more than was read/.test(journal), rules.some(isOld));
      for (const { id } of rules) await peer.ask("exec.approval.rules.revoke", { id });
      assert.deepEqual((await peer.ask("exec.approval.rules.list", {})).rules, []);
    });
  });
}
