/** `atrium ask`: a project from the command line, with the rehearsal crew and a real repository. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import {
  contentsOf,
  makeRepository,
} from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  runCli,
  startCli,
  startCliInTerminal,
  type CliProcess,
  type CliResult,
} from "../../kit/cli-process.ts";
import { openRepositoryHouse } from "../../kit/repositories.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const serverOf = ({ url, token }: { readonly url: string; readonly token: string }) =>
  ["--url", url, "--token", token] as const;

/** Runs every command that is printed as one that answers, until the project has ended. */
async function answerAll(cli: CliProcess, at: readonly string[]): Promise<CliResult> {
  const answered = new Set<string>();
  for (;;) {
    for (const [, id = "", answer = ""] of cli.stderr.matchAll(/--answer (\S+) "([^"]*)"/g)) {
      if (answered.has(id)) continue;
      answered.add(id);
      const { code, stderr } = await runCli(["ask", "--answer", id, answer, ...at]);
      assert.equal(code, 0, stderr);
    }
    const result = await Promise.race([cli.ended, setTimeout(50)]);
    if (result !== undefined) return result;
  }
}

/** Takes the first option of whatever is asked, until the project has ended. */
async function typeOnes(cli: CliProcess): Promise<CliResult> {
  for (let answers = 0; ;) {
    const questions = cli.stdout.match(/^\? /gm)?.length ?? 0;
    const prompts = cli.stdout.match(/› /g)?.length ?? 0;
    if (questions > answers && prompts > questions) {
      answers += 1;
      cli.type("1\r");
    }
    const result = await Promise.race([cli.ended, setTimeout(50)]);
    if (result !== undefined) return result;
  }
}

describe("in a repository", { skip: skipWithout("git") || skipWithoutSandbox() }, () => {
  test("[CLI-27] [CLI-28] without a person it starts, shows the work, and what is asked is answered elsewhere", async () => {
    await using house = await openRepositoryHouse();
    const path = makeRepository(join(house.folder, "shop"), { "README.md": "# Shop\n" });
    const before = contentsOf(path);
    await house.ask("POST", "", { path });
    const at = serverOf(house.atrium);
    await using cli = startCli(["ask", "Build a small program", "--repo", "shop", ...at]);
    const { code, stdout, stderr } = await answerAll(cli, at);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Build a small program\nproject proj_\w+; planning\n {2}\S/);
    assert.match(stderr, /^● Eng 1: /m);
    assert.match(stderr, /^ {2}› Eng 1: run node .*test/m);
    assert.match(stderr, /^ {4}│ .*it counts the points from 1/m);
    assert.match(stderr, /^ {2}added \S+\.mjs \(\+\d+ −0\)$/m);
    assert.match(stderr, /^✓ /m);
    assert.match(stderr, /is completed\n/);
    assert.match(stdout, /^diff --git a\/\S+ b\/\S+$/m);
    assert.match(stderr, /atrium review art_\w+/);
    assert.match(stderr, /^ {2}merged /m);
    assert.match(stderr, /^To take what was approved, run: atrium deliver proj_\w+$/m);
    assert.deepEqual(contentsOf(path), before);
    assert.deepEqual(house.atrium.faults, []);
  });
});

test(
  "[CLI-28] in a terminal the plan, the question and the deliverables are decided there",
  { skip: skipWithout("script") },
  async () => {
    await using atrium = await openTestAtrium();
    const request = "A page [[ask: Which color? | Green | Blue]]";
    await using cli = startCliInTerminal(["ask", request, ...serverOf(atrium)], {
      env: { NO_COLOR: "1" },
    });
    await cli.says("Start these tasks?");
    await cli.says("› ");
    cli.type("7\r");
    await cli.says(/7 is no answer\. Use one of: 1 \(start\)/);
    const { code, stdout } = await typeOnes(cli);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\? Which color\?\r\n {2}1 Green\r\n {2}2 Blue/);
    assert.match(stdout, /answered: Green/);
    assert.match(stdout, /\(version 1\) good\?\r\n {2}1 approve/);
    assert.match(stdout, /is completed/);
  },
);

test("[CLI-29] Ctrl-C leaves the work going, and --follow goes on with it", async () => {
  await using atrium = await openTestAtrium();
  const at = serverOf(atrium);
  await using first = startCli(["ask", "A page [[ask: Which color? | Green]]", ...at]);
  await first.says(/waiting for an answer: .*dec_/);
  first.signal("SIGINT");
  const left = await first.ended;
  assert.equal(left.code, 130);
  const [, id = ""] = /to watch it again: atrium ask --follow (\S+)/.exec(left.stderr) ?? [];
  assert.match(id, /^proj_/);
  await using second = startCli(["ask", "--follow", id, ...at]);
  await second.says(/waiting for an answer: .*dec_/);
  const { code, stderr } = await answerAll(second, at);
  assert.equal(code, 0, stderr);
  assert.match(stderr, new RegExp(`project ${id}, `));
  const again = await runCli(["ask", "--follow", id, ...at]);
  assert.deepEqual([again.code, again.stderr.includes("is completed")], [0, true]);
});

test("[CLI-27] [CLI-29] a project that fails exits with 1, and programs get events", async () => {
  await using atrium = await openTestAtrium();
  const at = serverOf(atrium);
  await using cli = startCli(["ask", "A page [[fail: no paper]]", "--json", ...at]);
  await cli.says(/"name":"task_failed"/);
  const [event] = cli.stdout.split("\n", 1).map((line) => JSON.parse(line));
  assert.equal(event.name, "request_submitted");
  await using peer = await enterWorld(atrium);
  await peer.ask("cancel_project", { project_id: event.project_id, confirm: true });
  const { code, stdout } = await cli.ended;
  assert.equal(code, 1);
  for (const line of stdout.trim().split("\n")) assert.ok(JSON.parse(line));
});

test("[CLI-27] what cannot be asked for is said, with what to do", async () => {
  await using atrium = await openTestAtrium();
  const at = serverOf(atrium);
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["x", "--repo", "none"], 1, /No repository has that id[^]*atrium repo list/],
    [["x", "--repo", "__proto__"], 1, /No repository has that id/],
    [["--follow", "proj_none"], 1, /No project has the id proj_none/],
    [["--answer", "dec_none", "yes"], 1, /Nothing that waits[^]*dec_none/],
    [["--answer", "dec_none"], 2, /--answer needs an answer/],
    [["--follow", "p", "words"], 2, /--follow takes no request/],
    [["--follow", "p", "--repo", "r"], 2, /--repo goes with a request/],
    [[], 2, /The prompt is empty/],
  ];
  for (const [words, code, says] of cases) {
    const result = await runCli(["ask", ...words, ...at]);
    assert.deepEqual([result.code, result.stdout], [code, ""], words.join(" "));
    assert.match(result.stderr, says);
  }
  const build = await runCli(["build", "x", "--repo", "none", ...at]);
  assert.deepEqual([build.code, build.stdout], [1, ""]);
  assert.match(build.stderr, /No repository has that id/);
  const wrong = await runCli(["ask", "x", "--url", atrium.url, "--token", "x".repeat(20)]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /did not let us in/);
  const nobody = await runCli(["ask", "x", "--url", "http://127.0.0.1:9", "--token", "x"]);
  assert.equal(nobody.code, 1);
});
