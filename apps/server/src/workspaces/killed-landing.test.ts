/** A life that is killed while it seals, lands and delivers, and the next one that is asked again. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import type { Landed } from "./port/landing.ts";
import { openBenchTop, value, type BenchTop, type OpenTested } from "./testing/bench-top.ts";
import { createRandom } from "./testing/random.ts";
import { contentsOf, git, write } from "./testing/user-repository.ts";

const KILLS = 8;
const MAX_LINES = 2;
const MAX_PAUSE_MS = 250;
const START_MS = 1_500;
const LINE = "refs/heads/atrium/prj/line";
const open: OpenTested = (root) =>
  openWorkspaces({ root, path: process.env["PATH"] ?? "", timers: systemTimers });

interface Report {
  readonly number: number;
  readonly sealed: string;
  readonly landed: Landed;
  readonly ref: string;
  readonly commit: string;
}

test(
  "[SPACE-36] a life that is killed while it lands loses nothing it told and lands nothing twice",
  { skip: skipWithout("git") },
  async (t) => {
    const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
    t.diagnostic(`SEED=${seed}`);
    const random = createRandom(seed);
    await using top = await openBenchTop(open);
    write(top.repository, { "src/a.ts": "not committed\n" });
    const before = ownFiles(top);
    const reports: Report[] = [];
    for (let life = 0; life < KILLS; life++) {
      // The last that was told is asked for again, as after a crash before it was written down.
      const first = Math.max(1, ...reports.map(({ number }) => number));
      reports.push(...(await liveAndDie(top, first, random)));
    }
    const store = join(top.root, "stores/shop.git");
    await using later = open(top.root);
    value(await later.recover());
    git(store, "fsck", "--strict", "--no-dangling");
    git(top.repository, "fsck", "--strict", "--no-dangling");
    assert.deepEqual(ownFiles(top), before);
    const subjects = git(store, "log", "--format=%s", LINE).split("\n").toReversed();
    const numbers = subjects.slice(1).map((_, at) => `Change ${at + 1}`);
    assert.deepEqual(subjects, ["First", ...numbers]);
    const last = Math.max(0, ...reports.map(({ number }) => number));
    assert.ok(last <= numbers.length && numbers.length <= last + 1, `${last} were told`);
    checkReports(store, reports);
    const branches = git(top.repository, "branch", "--list", "atrium/*", "--format=%(refname)");
    assert.ok(["", "refs/heads/atrium/out"].includes(branches), branches);
    t.diagnostic(`${reports.length} told, ${numbers.length} landed, ${KILLS} deaths`);
  },
);

function checkReports(store: string, reports: readonly Report[]): void {
  const known = new Map<number, Report>();
  for (const report of reports) {
    const { number, sealed, landed } = report;
    assert.deepEqual(known.get(number)?.landed ?? landed, landed, "told again, it is the same");
    known.set(number, report);
    git(store, "merge-base", "--is-ancestor", landed.commit, LINE);
    assert.equal(git(store, "show", `${sealed}:file-${number}.txt`), String(number));
    assert.equal(git(store, "show", `${LINE}:docs/${number}.md`), `# ${number}`);
  }
}

/** What is not git's. */
function ownFiles({ repository }: BenchTop): ReadonlyMap<string, string> {
  return new Map([...contentsOf(repository)].filter(([path]) => !path.startsWith("/.git/")));
}

async function liveAndDie(
  { root, repository }: BenchTop,
  first: number,
  random: (below: number) => number,
): Promise<readonly Report[]> {
  const program = new URL("testing/landing-double.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, root, repository, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout });
  const ended = Promise.all([once(child, "close"), once(output, "close")]);
  const wanted = random(MAX_LINES + 1);
  const enough = Promise.withResolvers<void>();
  output.on("line", (line) => {
    lines.push(line);
    if (lines.length >= wanted) enough.resolve();
  });
  if (wanted > 0) await Promise.race([enough.promise, ended]);
  // Without a line it dies while it starts or ends what another has begun.
  await sleep(random(wanted === 0 ? START_MS : MAX_PAUSE_MS));
  assert.equal(child.exitCode, null, "it went on until it was killed");
  child.kill("SIGKILL");
  await ended;
  return lines.flatMap((line) => (line.endsWith("}") ? [JSON.parse(line) as Report] : []));
}
