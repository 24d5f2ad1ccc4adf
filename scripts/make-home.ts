/**
 * Makes a small home with a bit of everything in it, by a real run of a server, and what that server answers about
 * it: the fixture with which every later version shows that it opens what this one wrote.
 *
 *   npm run home -- 0.2.0                   the server of this folder
 *   npm run home -- 0.2.0 ../old/main.ts    the main.ts of another version
 *   npm run home -- --states                only writes again what the log of each home folds to
 *
 * It goes to test/fixtures/homes. One per released version; a home that is there is never made again. What it folds to is
 * written again when a projection or an aggregate keeps something else on purpose; read the difference.
 */
import {
  cp,
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { foldState } from "../test/kit/folded-state.ts";
import { askEverything } from "../test/kit/home-answers.ts";
import { liveABit } from "../test/kit/home-life.ts";
import { listOldHomes, OLD_HOMES } from "../test/kit/old-homes.ts";
import { readLog } from "../test/kit/poison.ts";
import { startServer } from "../test/kit/server-process.ts";

const [name, main] = process.argv.slice(2);
if (name === undefined) {
  process.stderr.write("say what it shall be called: npm run home -- 0.2.0\n");
  process.exit(2);
}
if (name === "--states") {
  for (const each of await listOldHomes()) await writeState(join(OLD_HOMES, each));
  process.exit(0);
}
const folder = join(OLD_HOMES, name);
const home = await mkdtemp(join(tmpdir(), "atrium-home-"));
const logFile = join(home, "atrium.db");
const options = main === undefined ? {} : { main: resolve(main) };
const TOKEN = "a-token-for-tests-that-opens-nothing-else";
const FAR_OFF = Date.UTC(2100, 0);
const CREW = { runtimes: { fast: { type: "rehearsal", pace: 0 } } };

await writeFile(join(home, "token"), `${TOKEN}\n`, { mode: 0o600 });
await writeFile(join(home, "device-secret"), `${"0123456789abcdef".repeat(4)}\n`, { mode: 0o600 });
await writeFile(join(home, "atrium.config.json"), `${JSON.stringify(CREW, null, 2)}\n`);
const args = ["--agents", "fast"];
await using first = await startServer(home, { ...options, args });
const { pollIds, approvalIds } = await liveABit(first);
await first.end();
delayDeadlines();

// Once more, so that the answers are those of a server that found this home, as the next version will.
await using second = await startServer(home, { ...options, args });
const answers = await askEverything(second, pollIds);
await second.end();
await mkdir(folder, { recursive: true });
await pack({ pollIds, approvalIds, answers });
await writeState(folder);
await rm(home, { recursive: true, force: true });

/** What is open must still be open when someone looks at it in years; snapshots are made again from the entries. */
function delayDeadlines(): void {
  using db = new DatabaseSync(logFile);
  const rows = db.prepare("select seq, data from entries").all();
  const update = db.prepare("update entries set data = ? where seq = ?");
  for (const { seq, data } of rows) {
    const delayed = String(data).replaceAll(/"(expiresAt|closesAt)":\d+/g, `"$1":${FAR_OFF}`);
    if (delayed !== data) update.run(delayed, Number(seq));
  }
  db.exec("delete from snapshots");
}

/** The log in one file, as small as it gets, and the rest as it is; without the journal, which is about the machine. */
async function pack(said: object): Promise<void> {
  using db = new DatabaseSync(logFile);
  db.exec("vacuum; pragma wal_checkpoint(truncate)");
  await compress("atrium.db.gz", await readFile(logFile));
  await compress("answers.json.gz", Buffer.from(JSON.stringify(said)));
  for (const file of await readdir(home)) {
    if (/^atrium\.(db|log)|^holder/.test(file)) continue;
    await cp(join(home, file), join(folder, file), { recursive: true });
  }
}

async function writeState(of: string): Promise<void> {
  await using copy = await mkdtempDisposable(join(tmpdir(), "atrium-home-"));
  const file = join(copy.path, "atrium.db");
  await writeFile(file, gunzipSync(await readFile(join(of, "atrium.db.gz"))));
  await writeFile(join(of, "expected-state.json"), foldState(readLog(file)));
}

async function compress(file: string, content: Buffer): Promise<void> {
  await writeFile(join(folder, file), gzipSync(content, { level: 9 }));
}
