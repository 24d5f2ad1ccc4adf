/** A real server whose snapshots someone has spoiled, or that was killed while it dealt with them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askEverything, readEntries } from "../kit/home-answers.ts";
import { copyOldHome } from "../kit/old-homes.ts";
import { preload } from "../kit/preload.ts";
import { createRandom } from "../kit/random.ts";
import { MAIN, startServer, withHome } from "../kit/server-process.ts";

const HOME = "0.1.0-e6fb022";
const ARGS = { args: ["--agents", "fast"] };
const SEED = 20_261_116;

/** Each for one of the projections, in SQL. */
const DAMAGES: readonly (readonly [projection: string, set: string])[] = [
  ["conversations", "text = '{'"],
  ["devices", "text = substr(text, 1, length(text) / 2)"],
  ["runs", "text = text || ' '"],
  ["approvals", "text = ''"],
  ["projects", "text = replace(text, (select value from meta where name = 'epoch'), 'elsewhere')"],
  ["polls", "seq = 999999"],
  ["questions", "version = version + 1"],
  ["builds", "text = '[{\"build\":null}]'"],
  ["nodes", "text = x'00ff'"],
  ["visitors", "seq = 'soon'"],
];

const linesAbout = (journal: string): number =>
  journal.match(/"msg":"snapshots are of no use/g)?.length ?? 0;

test("[SERVER-8] spoiled snapshots are made again from the log, with one line about it", async () => {
  await withHome(async (home) => {
    const { pollIds } = await copyOldHome(HOME, home);
    const journal = (): Promise<string> => readFile(join(home, "atrium.log"), "utf8");
    let before: unknown;
    {
      await using server = await startServer(home, ARGS);
      before = await askEverything(server, pollIds);
      assert.equal(await server.end(), 0);
    }
    // Those of the version before are of another format.
    assert.equal(linesAbout(await journal()), 1);
    {
      using db = new DatabaseSync(join(home, "atrium.db"));
      for (const [projection, set] of DAMAGES) {
        const { changes } = db
          .prepare(`update snapshots set ${set} where name = ?`)
          .run(projection);
        assert.equal(changes, 1, projection);
      }
    }
    for (const lines of [2, 2]) {
      await using server = await startServer(home, ARGS);
      assert.deepEqual(await askEverything(server, pollIds), before);
      assert.equal(await server.end(), 0);
      const said = await journal();
      assert.equal(linesAbout(said), lines);
      for (const [projection] of DAMAGES.filter(([name]) => name !== "questions")) {
        assert.match(said, new RegExp(`${projection}: it (is|cannot)`));
      }
    }
  });
});

test("[SERVER-13] killed at any moment of its start, it opens again with everything", async () => {
  await withHome(async (home) => {
    const { pollIds } = await copyOldHome(HOME, home);
    await openOnce(home);
    const file = join(home, "atrium.db");
    const entries = readEntries(file);
    const random = createRandom(SEED);
    for (let n = 0; n < 8; n++) {
      const command = [MAIN, "--home", home, "--port", "0", "--json", ...ARGS.args];
      const options = {
        stdio: "ignore",
        cwd: tmpdir(),
        env: { PATH: process.env["PATH"] },
      } as const;
      const child = spawn(process.execPath, command, options);
      const ended = once(child, "exit");
      await sleep(random() * 1_500);
      child.kill("SIGKILL");
      await ended;
    }
    await using server = await startServer(home, ARGS);
    await askEverything(server, pollIds);
    assert.equal(await server.end(), 0);
    assert.deepEqual(readEntries(file).slice(0, entries.length), entries, `seed ${SEED}`);
  });
});

test("[SERVER-13] killed between any two snapshots that it saves on the way out, it opens again with everything", async () => {
  await withHome(async (home) => {
    const { pollIds } = await copyOldHome(HOME, home);
    await openOnce(home);
    {
      // So that there is something to save.
      using db = new DatabaseSync(join(home, "atrium.db"));
      const remove = db.prepare("delete from snapshots where name = ?");
      for (const [projection] of DAMAGES) assert.equal(remove.run(projection).changes, 1);
    }
    let before: unknown;
    for (let saved = 1; saved <= 6; saved += 2) {
      // In the thread that writes: after so many snapshots of this life.
      const code = `
        import { DatabaseSync, StatementSync } from "node:sqlite";
        const { run } = StatementSync.prototype;
        let saved = 0;
        StatementSync.prototype.run = function (...args) {
          const done = run.apply(this, args);
          if (this.sourceSQL.includes("into snapshots") && ++saved === ${saved}) {
            process.kill(process.pid, "SIGKILL");
          }
          return done;
        };`;
      await using server = await startServer(home, { ...ARGS, env: preload(code) });
      const answers = await askEverything(server, pollIds);
      assert.deepEqual(answers, (before ??= answers));
      await using peer = await server.connect();
      await peer.ask("exec.approval.list", {});
      process.kill(server.pid, "SIGTERM");
      assert.equal((await server.exited).code, null, `killed after ${saved}`);
    }
    await using server = await startServer(home, ARGS);
    assert.deepEqual(await askEverything(server, pollIds), before);
  });
});

/** At its first start in a home of the version before, it erases what that version had only marked as deleted. */
async function openOnce(home: string): Promise<void> {
  await using server = await startServer(home, ARGS);
  assert.equal(await server.end(), 0);
}
