/** `atrium log` with a real home, real servers and real deaths. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempDisposableSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openSqliteLog } from "@atrium/log";
import { createMemoryBus, createMemoryChain, openChainLog } from "@atrium/log/chain";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli, startCli, type CliResult } from "../../kit/cli-process.ts";
import { startNats, type NatsServers } from "../../kit/nats/nats-servers.ts";
import { startServer } from "../../kit/server-process.ts";

const skip = skipWithout("nats-server");
const LIMIT_MS = 180_000;

interface Place {
  readonly nats: NatsServers;
  readonly folder: string;
  /** The flags that lead to the servers. */
  readonly log: readonly string[];
}

async function withServers(stream: string, use: (place: Place) => Promise<void>): Promise<void> {
  await using nats = await startNats({ servers: 1 });
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-upkeep-"));
  const log = ["--log-stream", stream, "--log-monitor", nats.monitors.join(",")];
  await use({ nats, folder: folder.path, log });
}

const chat = async (home: string, words: string): Promise<CliResult> => {
  const result = await runCli(["chat", words, "--home", home]);
  assert.equal(result.code, 0, result.stderr);
  return result;
};

test("[CLI-37] a copy of a damaged file is damaged too, and that is told", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-upkeep-"));
  const file = join(folder.path, "atrium.db");
  {
    await using log = await openSqliteLog({ file });
    await log.append("s", "any", [{ type: "said", at: 1, data: 1 }]);
  }
  const copyTo = (name: string): Promise<CliResult> =>
    runCli(["log", "copy", "--from", file, "--to", join(folder.path, name)]);
  const good = await copyTo("good.db");
  assert.deepEqual([good.code, good.stderr], [0, ""]);
  assert.match(good.stdout, /^Copied and checked: 1 entries in .*good\.db\.$/m);
  {
    using db = new DatabaseSync(file);
    db.exec("update entries set data = '{'");
  }
  const bad = await copyTo("bad.db");
  assert.equal(bad.code, 1);
  assert.match(
    bad.stdout,
    /bad\.db, which is not whole:\nentry 1 \(said of s\) is no JSON any more/,
  );
});

test("[CLI-38] a node's copy whose entries changed is named with the way to mend it, and copied nowhere", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-upkeep-"));
  // A backup goes by this name.
  const copyFile = join(folder.path, "atrium.db");
  {
    const node = { id: "n1", life: "1" };
    const [chain, bus] = [createMemoryChain(), createMemoryBus()];
    await using log = await openChainLog({ chain, bus, node, copyFile });
    for (let at = 1; at < 9; at++) await log.append("s", "any", [{ type: "said", at, data: at }]);
  }
  const verify = (): Promise<CliResult> => runCli(["log", "verify", "--home", folder.path]);
  assert.match((await verify()).stdout, /is whole: 8 entries, 0 keys/);
  {
    using db = new DatabaseSync(copyFile);
    db.exec("update entries set data = '0' where seq = 5");
  }
  const found = await verify();
  assert.equal(found.code, 1);
  assert.match(found.stdout, /^entry 5 is not what message 6 says: another data$/m);
  assert.match(found.stdout, /remove chain\.db, .*\n.*atrium log repair --copies .*atrium\.db$/m);
  const target = join(folder.path, "target.db");
  const copied = await runCli(["log", "copy", "--from", copyFile, "--to", target]);
  assert.equal(copied.code, 1);
  assert.match(copied.stderr, /not what its messages say \(entry 5 .* start its node, which fills/);
  assert.ok(!existsSync(target));
});

interface SessionsReport {
  readonly sessions: readonly { readonly key: string }[];
}

async function sessionKeys(home: string): Promise<readonly string[]> {
  const { stdout } = await runCli(["sessions", "--json", "--home", home]);
  return (JSON.parse(stdout) as SessionsReport).sessions.map(({ key }) => key);
}

function entriesIn(file: string): readonly unknown[] {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare("select * from entries order by seq").all();
}

test(
  "[CLI-37] a log moves to servers and back, killed again and again, and the office goes on with it",
  { skip, timeout: LIMIT_MS },
  () =>
    withServers("moving", async ({ nats, folder, log }) => {
      const home = join(folder, "home");
      const servers = nats.urls.join(",");
      {
        await using _server = await startServer(home);
        await chat(home, "hello");
      }
      // Enough to be killed in the middle of.
      {
        await using file = await openSqliteLog({ file: join(home, "atrium.db") });
        const draft = { type: "test.filler", at: 1, data: "x".repeat(4_000) };
        for (let n = 0; n < 40; n++) {
          await file.append(
            `filler/${n}`,
            "any",
            Array.from({ length: 100 }, () => draft),
          );
        }
      }
      const before = entriesIn(join(home, "atrium.db"));
      const copy = ["log", "copy", "--from", "sqlite", "--to", servers, "--home", home, ...log];
      for (const lifeMs of [700, 900, 1_100]) {
        await using child = startCli(copy);
        await setTimeout(lifeMs);
        child.signal("SIGKILL");
        await child.ended;
      }
      const copied = await runCli([...copy, "--json"]);
      assert.equal(copied.code, 0, copied.stderr);
      const facts = JSON.parse(copied.stdout) as { entries: number; messages: number };
      assert.ok(facts.entries >= before.length && facts.messages > 50, copied.stdout);

      const node = ["--shared", home, "--node", "n1", "--log", servers, ...log];
      const nodeHome = join(folder, "n1");
      {
        await using server = await startServer(nodeHome, { args: node });
        assert.deepEqual(await sessionKeys(nodeHome), ["agent:main:main"]);
        const refused = await runCli([
          "log",
          "copy",
          "--from",
          servers,
          "--to",
          join(folder, "x.db"),
          ...log,
        ]);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, /nodes write this log: n1 at http:.*stop them all/);
        await chat(nodeHome, "and again");
        const verified = await runCli([
          "log",
          "verify",
          "--home",
          nodeHome,
          "--log",
          servers,
          ...log,
        ]);
        assert.equal(verified.code, 0, verified.stdout + verified.stderr);
        assert.match(verified.stdout, /Stream moving is whole: \d+ messages/);
        assert.match(verified.stdout, /chain\.db has the same up to message \d+/);
        assert.equal(await server.end(), 0);
      }
      {
        using db = new DatabaseSync(join(nodeHome, "chain.db"));
        db.exec("update entries set data = '{}' where seq = 1");
      }
      const at = ["--home", nodeHome, "--log", servers, ...log];
      const spoilt = await runCli(["log", "verify", ...at]);
      assert.equal(spoilt.code, 1);
      assert.match(spoilt.stdout, /chain\.db: entry 1 is not what message \d+ says: another data/);
      assert.match(spoilt.stdout, /remove chain\.db, .*it fills itself again/);
      const back = join(folder, "back");
      const moved = await runCli([
        "log",
        "copy",
        "--from",
        servers,
        "--to",
        "sqlite",
        "--home",
        back,
        ...log,
      ]);
      assert.equal(moved.code, 0, moved.stderr);
      assert.deepEqual(entriesIn(join(back, "atrium.db")).slice(0, before.length), before);
      await using _server = await startServer(back, { args: ["--shared", home] });
      assert.deepEqual(await sessionKeys(back), ["agent:main:main"]);
      const { stdout } = await runCli(["sessions", "show", "agent:main:main", "--home", back]);
      assert.match(stdout, /hello[\s\S]*and again/);
      const whole = await runCli(["log", "verify", "--home", back]);
      assert.equal(whole.code, 0, whole.stdout);
    }),
);

test(
  "[CLI-38] servers that lost the end of the log get it back from a node's copy, the same bytes",
  { skip, timeout: LIMIT_MS },
  () =>
    withServers("losing", async ({ nats, folder, log }) => {
      const home = join(folder, "n1");
      const args = ["--node", "n1", "--log", nats.urls.join(","), ...log];
      {
        await using server = await startServer(home, { args });
        await chat(home, "hello");
        assert.equal(await server.end(), 0);
      }
      const flags = ["--home", home, ...args.slice(2)];
      const earlier = await runCli(["log", "verify", "--json", ...flags]);
      const { hash, messages } = JSON.parse(earlier.stdout) as { hash: string; messages: number };
      await nats.end(0);
      const store = nats.storeFolder(0);
      const backup = join(folder, "store");
      cpSync(store, backup, { recursive: true });
      nats.start(0);
      await nats.healthy();
      {
        await using server = await startServer(home, { args });
        await chat(home, "this the servers lose");
        assert.equal(await server.end(), 0);
      }
      const later = await runCli(["log", "verify", "--json", ...flags]);
      const full = JSON.parse(later.stdout) as { hash: string; messages: number };
      assert.ok(full.messages > messages && full.hash !== hash);
      await nats.end(0);
      rmSync(store, { recursive: true });
      cpSync(backup, store, { recursive: true });
      nats.start(0);
      await nats.healthy();

      const found = await runCli(["log", "verify", ...flags]);
      assert.equal(found.code, 1);
      assert.match(found.stdout, /they lost what they had acknowledged/);
      const plan = await runCli(["log", "repair", ...flags]);
      assert.equal(plan.code, 1);
      assert.match(plan.stdout, /lack messages \d+ to \d+; .*chain\.db has them\. .* with --yes/);
      const done = await runCli(["log", "repair", "--yes", ...flags]);
      assert.equal(done.code, 0, done.stdout + done.stderr);
      assert.match(done.stdout, /Put back messages \d+ to \d+ from .*chain\.db: the same bytes/);
      const again = await runCli(["log", "verify", "--json", ...flags]);
      assert.equal((JSON.parse(again.stdout) as { hash: string }).hash, full.hash);

      // Even the whole stream: nothing but the copy is left.
      await nats.end(0);
      rmSync(store, { recursive: true });
      nats.start(0);
      await nats.healthy();
      const none = await runCli(["log", "verify", ...flags]);
      assert.match(none.stderr, /have no stream losing/);
      const whole = await runCli(["log", "repair", "--yes", ...flags]);
      assert.equal(whole.code, 0, whole.stdout + whole.stderr);
      await using _server = await startServer(home, { args });
      const { stdout } = await runCli(["sessions", "show", "agent:main:main", "--home", home]);
      assert.match(stdout, /this the servers lose/);
    }),
);
