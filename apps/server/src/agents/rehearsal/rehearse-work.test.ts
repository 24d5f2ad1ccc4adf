/** What a rehearsal does in a folder, with the real tools: its program runs, its test fails and then passes. */
import assert from "node:assert/strict";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openSandbox, skipWithoutSandbox } from "../../confinement/testing/sandbox.ts";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import { createRehearsal } from "./rehearsal.ts";
import { artifactIn, asking, namesIn, openPlace, runsIn } from "./testing/work-place.ts";

const WRITER = { id: "agent_writer_1", name: "Writer 1", role: "writer" };
const TASK = "Task 2 of 3: Write a tide table\n\nWhat was asked:\n> Build a tide table";
const CHANGES = "\n\nChanges were requested:\n\ntide-table.md:\n> It's `$(too)` long\n\nHand over";

const WORK = "todo list write write run todo search read edit run todo";

test(
  "[REHEARSAL-7] in a sandbox it writes a program and its test, sees it fail, mends it and sees it pass",
  { skip: skipWithoutSandbox() },
  async () => {
    const place = await openPlace({ confinement: (home) => openSandbox([home]) });
    await using _folders = place;
    const events = await place.play(TASK);
    assert.equal(namesIn(events), WORK);
    const [failed, passed] = runsIn(events);
    assert.match(failed?.text ?? "", /it counts the points from 1[^]*\[exit code 1,/);
    assert.match(passed?.text ?? "", /Tide table\n1\. .*\n2\. [^]*\[exit code 0,/);
    assert.deepEqual(await place.files(), ["tide-table.mjs", "tide-table.test.mjs"]);
    assert.match(await place.contentOf("tide-table.mjs"), /^\/\/ A rehearsal wrote this/);
    assert.deepEqual(place.commands, []);
    const { name, text } = artifactIn(events);
    assert.equal(name, "tide-table.md");
    assert.match(text, /## Files\n\n- tide-table\.mjs\n- tide-table\.test\.mjs\n\n.*passes\.\n$/);
    assert.match(textIn(events), /\(Rehearsal\.\)[^]*its test passes\./);
  },
);

test("[REHEARSAL-9] what people want changed is changed in the program that is there, and tested", async () => {
  const place = await openPlace();
  await using _folders = place;
  await place.play(TASK);
  const events = await place.play(`${TASK}${CHANGES}`);
  assert.equal(namesIn(events), "todo list read edit run todo");
  assert.match(runsIn(events)[0]?.text ?? "", /1\. It's `\$\(too\)` long\n2\. [^]*exit code 0/);
  assert.match(artifactIn(events).text, /- tide-table\.mjs\n\nI put the wish first/);
});

test("[REHEARSAL-9] a run that begins again replaces what it finds", async () => {
  const place = await openPlace();
  await using _folders = place;
  await place.play(TASK);
  const events = await place.play(TASK);
  assert.equal(namesIn(events), WORK.replace("write write", "read write read write"));
  assert.match(textIn(events), /its test passes/);
});

test("[REHEARSAL-9] what others wrote is left as it is, and said", async () => {
  const place = await openPlace();
  await using _folders = place;
  for (const name of ["tide-table.mjs", "tide-table.md"]) {
    await writeFile(join(place.folder, name), "Ann's\n");
  }
  for (const more of [{}, { agent: WRITER }]) {
    const events = await place.play(TASK, more);
    assert.match(textIn(events), /I left tide-table\.m(?:js|d) as it is: it is not mine\./);
    assert.equal(events.at(-1)?.type, "completed");
  }
  await place.play(`${TASK}${CHANGES}`);
  for (const name of await place.files()) assert.equal(await place.contentOf(name), "Ann's\n");
});

test("[REHEARSAL-7] without Node, the program is one for the shell", async () => {
  const place = await openPlace();
  await using _folders = place;
  const bin = join(place.other, "bin");
  await mkdir(bin);
  for (const name of ["sh", "rm", "head", "sed"]) await symlink(`/bin/${name}`, join(bin, name));
  const bare = await openPlace({ confinement: asking(bin) });
  await using _others = bare;
  const events = await bare.play(TASK);
  assert.deepEqual(
    runsIn(events).map(({ text }) => /exit code (\d+)/.exec(text)?.[1]),
    ["127", "0", "1", "0"],
  );
  assert.match(runsIn(events)[2]?.text ?? "", /not ok - it counts the points from 1: 0\./);
  assert.match(runsIn(events)[3]?.text ?? "", /ok - it counts[^]*Tide table\n1\. /);
  assert.deepEqual(await bare.files(), ["tide-table.sh", "tide-table.test.sh"]);
  const again = await bare.play(`${TASK}${CHANGES}`);
  assert.match(runsIn(again)[0]?.text ?? "", /1\. It's `\$\(too\)` long\n2\. [^]*exit code 0/);
});

test("[REHEARSAL-8] without a sandbox a person is asked for each command; a no is said, and the work is handed over", async () => {
  const place = await openPlace({ answer: { permission: "denied", note: "not here" } });
  await using _folders = place;
  const events = await place.play(TASK);
  assert.equal(place.commands.length, 1);
  assert.match(JSON.stringify(place.commands), /node --test-reporter=spec tide-table\.test\.mjs/);
  assert.match(textIn(events), /The test was not run: A person said no: not here/);
  assert.deepEqual(await place.files(), ["tide-table.mjs", "tide-table.test.mjs"]);
  assert.match(artifactIn(events).text, /## Files[^]*The test was not run/);
  assert.equal(events.at(-1)?.type, "completed");
});

test("[REHEARSAL-8] where a tool is missing or nothing can be written it goes on; without a folder as ever", async () => {
  const place = await openPlace({ leftOut: ["run", "todo", "search"] });
  await using _folders = place;
  const events = await place.play(TASK);
  assert.equal(namesIn(events), "list write write edit");
  assert.match(textIn(events), /The test was not run: I have no tool run\./);
  const fewer = await openPlace({ leftOut: ["edit"] });
  await using _fewer = fewer;
  assert.equal(namesIn(await fewer.play(TASK)), "");
  await rm(place.folder, { recursive: true });
  const gone = await place.play(TASK);
  assert.match(textIn(gone), /I could not write tide-table\.mjs: /);
  assert.equal(gone.at(-1)?.type, "completed");
  const { workspace: _none, ...turn } = turnOf(TASK, { form: "task" });
  const host = createTestHost();
  const plain = await eventsOf(createRehearsal("x", { pace: 0 }), turn, host);
  assert.deepEqual(host.calls, []);
  assert.doesNotMatch(artifactIn(plain).text, /## Files/);
});

test("[REHEARSAL-7] whoever writes documents puts the draft in the folder", async () => {
  const place = await openPlace();
  await using _folders = place;
  const events = await place.play(TASK, { agent: WRITER });
  assert.equal(namesIn(events), "todo list write todo search todo");
  assert.deepEqual(await place.files(), ["tide-table.md"]);
  const draft = await place.contentOf("tide-table.md");
  assert.ok(artifactIn(events).text.startsWith(draft));
  assert.match(artifactIn(events).text, /## Files\n\n- tide-table\.md\n/);
  const again = await place.play(`${TASK}${CHANGES}`, { agent: WRITER });
  assert.equal(namesIn(again), "todo list read write todo search todo");
  assert.match(await place.contentOf("tide-table.md"), /Changed as wished: It's/);
});

test("[REHEARSAL-7] a build does the same in its step assemble", async () => {
  const place = await openPlace();
  await using _folders = place;
  const env = { TIDY_BUILD_ID: "b1", TIDY_BUILD_PROMPT: "Build a tide table" };
  const told = { role: "assistant", text: '{"type":"question.requested","payload":{}}' } as const;
  const prompt = "[MESSAGE_TYPE:USER_ANSWER]\nSystem note: go on\nme";
  const events = await place.play(prompt, { form: "any", env, history: [told] });
  assert.equal(namesIn(events), WORK);
  const types = textIn(events).trim().split("\n");
  for (const line of types) assert.ok(typeof JSON.parse(line).type === "string");
  const step = (name: string): number =>
    events.findIndex(
      ({ type, ...event }) => type === "text" && JSON.stringify(event).includes(name),
    );
  const called = events.findIndex(({ type }) => type === "tool.called");
  assert.ok(step("assemble") !== -1 && step("assemble") < called);
  assert.match(artifactIn(events).text, /## Files\n\n- tide-table\.mjs\n/);
});

test("[REHEARSAL-7] names and words that a person chose stay words", async () => {
  const place = await openPlace();
  await using _folders = place;
  const title = "../../etc `rm -rf .` \u0007\u2028 '\"${process.exit(3)} __proto__ */";
  const events = await place.play(`Task 2 of 3: ${title}\n\nWhat was asked:\n> ${title}`);
  assert.match(textIn(events), /its test passes/);
  for (const name of await place.files()) assert.match(name, /^[\p{L}\p{N}-]+(\.test)?\.mjs$/u);
  assert.doesNotMatch(runsIn(events).at(-1)?.text ?? "", /[^\n\P{Cc}]|\u2028/u);
});
