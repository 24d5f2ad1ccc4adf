/** `atrium plan`: a plan is shown and changed from the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli } from "../../kit/cli-process.ts";
import { enterWorld, plannedProject } from "../../kit/world-peer.ts";

test("[CLI-32] a plan is shown, added to, changed, put in order and handed out", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const { projectId, tasks } = await plannedProject(peer);
  const at = ["--url", atrium.url, "--token", atrium.token];
  const plan = (...args: readonly string[]) => runCli(["plan", ...args, ...at]);
  const done = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await plan(...args);
    assert.equal(code, 0, stderr);
  };
  const titles = async (): Promise<readonly string[]> => {
    const { stdout } = await plan("show", projectId, "--json");
    return JSON.parse(stdout).map(({ title }: { title: string }) => title);
  };
  const before = await titles();
  assert.equal(before.length, tasks.length);

  const wishes = ["--accept", "It is short", "--verify", "npm test", "--kind", "document"];
  const about = ["--describe", "All of it\u001b[2J", "--role", "writer"];
  await done("add", projectId, "Write the manual", "--after", "1", ...wishes, ...about);
  const last = `${before.length + 1}`;
  const shown = (await plan("show", projectId)).stdout;
  assert.match(
    shown,
    new RegExp(`^ +${last}  Write the manual  planned, writer, document, after 1`, "m"),
  );
  assert.match(shown, /^ {5}✓ It is short\n {5}\$ npm test$/m);
  assert.ok(!shown.includes("\u001b"));

  await done("edit", projectId, last, "--title", "The manual", "--after", "none");
  assert.match((await plan("show", projectId)).stdout, /The manual {2}planned, writer, document$/m);
  await done("add", projectId, "First of all", "--before", "1");
  assert.deepEqual(await titles(), ["First of all", ...before, "The manual"]);
  const all = Array.from({ length: before.length + 2 }, (_, index) => `${index + 1}`);
  await done("order", projectId, ...all.toReversed());
  assert.deepEqual(await titles(), ["The manual", ...before.toReversed(), "First of all"]);
  await done("remove", projectId, `${before.length + 2}`);
  assert.deepEqual(await titles(), ["The manual", ...before.toReversed()]);
  await done("assign", projectId, "1", "agent_eng_1");
  assert.equal((await peer.event("task_assigned")).payload.agent_id, "agent_eng_1");

  const mistakes: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["show"], 2, /PROJECT is missing/],
    [["show", "proj_nobody"], 1, /No project has the id proj_nobody/],
    [["show", projectId, "x"], 2, /Unexpected argument: x/],
    [["add", projectId, "x", "--after", "99"], 1, /The plan has no task 99/],
    [["add", projectId, "x", "--kind", "thing"], 2, /--kind takes change or document/],
    [["edit", projectId, "1"], 2, /Say what to change/],
    [["edit", projectId, "2", "--after", "2"], 1, /The server refused/],
    [["order", projectId, "1"], 1, /The server refused/],
    [["order", projectId], 2, /Name a project and all of its tasks/],
    [["assign", projectId, "1", "nobody"], 1, /No agent is called nobody/],
    [["remove", projectId, "__proto__"], 1, /The plan has no task __proto__/],
    [["mend", projectId], 2, /Unknown subcommand: mend/],
  ];
  for (const [args, code, says] of mistakes) {
    const outcome = await plan(...args);
    assert.equal(outcome.code, code, `${args.join(" ")}: ${outcome.stderr}`);
    assert.match(outcome.stderr, says, args.join(" "));
  }
  assert.deepEqual(atrium.faults, []);
});
