/** A task that comes back to a rehearsal: a check that failed, remarks on lines, suggestions. With the real tools. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { textIn } from "../testing/turns.ts";
import { createDice } from "./dice.ts";
import { rehearsePlan } from "./rehearse-plan.ts";
import { readTask } from "./rehearse-task.ts";
import { artifactIn, namesIn, openPlace, runsIn } from "./testing/work-place.ts";

const WRITER = { id: "agent_writer_1", name: "Writer 1", role: "writer" };
const TEAM = "The team:\n- Eng 1, engineer\n- Writer 1, writer\n";
const PLAN = JSON.parse(
  /```json\n([^]*)```/.exec(rehearsePlan(TEAM, "Build a tide table", createDice(1, "")))?.[1] ?? "",
);
const CHECK: string = PLAN.tasks[0].verify[0];
const TASK = `Task 2 of 3: Build it

What was asked:
> Build a tide table

Checks that what you hand over must pass:
> - ${CHECK}
`;
const FAILED = `${TASK}
What was handed over did not pass its checks:

${CHECK} ended with exit code 1:
> not ok 2
`;

interface Remark {
  readonly path?: string;
  readonly line: number;
  readonly end?: number;
  readonly text: string;
  readonly place?: string;
}

function remarked(...remarks: readonly Remark[]): string {
  const said = remarks.map(({ path = "tide-table.mjs", line, end, text, place }, at) => {
    const lines = end === undefined ? `line ${line}` : `lines ${line} to ${end}`;
    const quoted = `| its code\n\n${text}`.replaceAll(/^/gm, "> ");
    return `cmt_a_${at + 1}, by Ann, on ${path}, ${lines} ${place ?? "of version 1"}:\n${quoted}`;
  });
  return `${TASK}\nChanges were requested:\n\nSee the comments.\n\nComments on lines, each with its id and the code it is about:\n\n${said.join("\n\n")}\n\nWhat version 1 changed:\n`;
}

test("[REHEARSAL-11] its plan has criteria, a check that can be run, and a task that waits for another", () => {
  const [build, words] = PLAN.tasks;
  assert.equal(
    CHECK,
    "if [ -e tide-table.test.sh ]; then sh tide-table.test.sh; else node tide-table.test.mjs; fi",
  );
  assert.deepEqual([build.after, words.after, words.verify], [undefined, [1], undefined]);
  for (const { accept } of PLAN.tasks) assert.ok(accept.length > 0);
});

test("[REHEARSAL-11] where its test is a check, the check finds the mistake, and it is mended when it comes back", async () => {
  const place = await openPlace();
  await using _folders = place;
  const first = await place.play(TASK);
  assert.equal(namesIn(first), "todo list write write todo");
  assert.match(await place.contentOf("tide-table.mjs"), /`\$\{at\}\. /);
  const again = await place.play(FAILED);
  assert.equal(namesIn(again), "todo list search read edit run todo");
  assert.match(runsIn(again)[0]?.text ?? "", /\[exit code 0,/);
  assert.match(textIn(again), /Mending: Build it[^]*counted from 0; its test passes\./);
  assert.match(await place.contentOf("tide-table.mjs"), /`\$\{at \+ 1\}\. /);
  assert.ok(!again.some(({ type }) => type === "artifact"), "what it delivered stays as it was");
});

test("[REHEARSAL-11] from the plan to the mended check it pauses for less than fifteen seconds", async () => {
  const place = await openPlace({ pace: 1 });
  await using _folders = place;
  await place.play(`Plan this.\n\nWhat was asked:\n> Build a tide table\n\n${TEAM}`, {
    form: "plan",
  });
  await place.play(TASK);
  await place.play(FAILED);
  assert.match(await place.contentOf("tide-table.mjs"), /`\$\{at \+ 1\}\. /);
  assert.ok(place.sleptMs() > 3_000 && place.sleptMs() < 15_000, `${place.sleptMs()} ms`);
});

test("[REHEARSAL-12] it changes the lines that were remarked on, takes suggestions over and answers each remark", async () => {
  const place = await openPlace();
  await using _folders = place;
  await place.play(TASK);
  await place.play(FAILED);
  const before = (await place.contentOf("tide-table.mjs")).split("\n");
  const suggestion = 'Better:\n```suggestion\n  "one",\n  "two",\n```';
  const events = await place.play(
    remarked(
      { line: 2, text: "Say when\nit is */ high" },
      { line: 4, end: 5, text: suggestion },
      { line: 1, text: "Why?", place: "of what was there before" },
      { line: 900, text: "And this?" },
      { line: 1, path: "../../etc/passwd", text: "And that?" },
    ),
  );
  const after = (await place.contentOf("tide-table.mjs")).split("\n");
  assert.deepEqual(after.slice(0, 6), [
    before[0],
    `${before[1]} // wished: Say when it is */ high`,
    before[2],
    '  "one",',
    '  "two",',
    before[5],
  ]);
  assert.match(runsIn(events).at(-1)?.text ?? "", /\[exit code 0,/);
  const answers = Object.fromEntries(place.answers);
  assert.match(answers["cmt_a_1"] ?? "", /^Line 2 now has it: “Say when it is \*\/ high”/);
  assert.equal(answers["cmt_a_2"], "Taken over as you wrote it.");
  assert.match(answers["cmt_a_3"] ?? "", /no longer there/);
  assert.match(answers["cmt_a_4"] ?? "", /has no line 900/);
  assert.match(answers["cmt_a_5"] ?? "", /^I could not read/);
  assert.match(textIn(events), /Reworking: Build it[^]*5 comments; its test passes\./);
});

test("[REHEARSAL-12] in a document the remarks are answered where they were made, also where lines repeat", async () => {
  const place = await openPlace();
  await using _folders = place;
  await place.play(TASK, { agent: WRITER });
  const { name } = artifactIn(await place.play(TASK, { agent: WRITER }));
  await writeFile(join(place.folder, name), "- same\n- same\n- same\n");
  const events = await place.play(remarked({ path: name, line: 2, text: "Twice" }), {
    agent: WRITER,
  });
  assert.equal(await place.contentOf(name), "- same\n- same (wished: Twice)\n- same\n");
  assert.equal(place.answers.size, 1);
  assert.ok(!events.some(({ type }) => type === "artifact"));
});

test("[REHEARSAL-11] it reads what the prompts of a project say", async () => {
  const filled = async (name: string, value = "> words"): Promise<string> => {
    const path = new URL(`../../projects/prompts/templates/${name}.md`, import.meta.url);
    return (await readFile(path, "utf8")).replaceAll(/^\{\{[a-z_]+\}\}$/gm, value);
  };
  const task = readTask(await filled("task"));
  assert.equal(task.checks, "words");
  assert.deepEqual([task.isFailed, task.changes], [false, undefined]);
  assert.equal(readTask(await filled("checks-failed")).isFailed, true);
  assert.equal(readTask(await filled("rework", "plan.md:\n> words")).changes, "words");
});

test("[REHEARSAL-12] what is quoted is never taken for what the prompt says", () => {
  const quoted = `${TASK}\n> What was handed over did not pass its checks.\n> cmt_x_1, by Ann, on a.mjs, line 1 of version 1:\n> > hm\n`;
  const { isFailed, comments } = readTask(quoted);
  assert.deepEqual([isFailed, comments], [false, []]);
});
