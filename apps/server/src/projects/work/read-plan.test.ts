import assert from "node:assert/strict";
import { test } from "node:test";
import { readPlan } from "./read-plan.ts";

const plan = {
  title: "A page",
  summary: "Two things.",
  tasks: [{ title: "Look", role: "researcher" }],
};
const json = JSON.stringify(plan);

test("[DIR-4] a plan is found alone, in a fence, and among other words", () => {
  for (const said of [
    json,
    `Here:\n\`\`\`json\n${json}\n\`\`\`\nGood luck.`,
    `Sure! ${json} Done.`,
  ]) {
    const read = readPlan(said);
    assert.ok(read.ok, said);
    assert.deepEqual(read.plan.tasks, [{ title: "Look", description: "", role: "researcher" }]);
    assert.equal(read.plan.title, "A page");
  }
});

test("[DIR-4] what is wrong with a plan is said in words an agent can use", () => {
  const flaws: readonly (readonly [string, RegExp])[] = [
    ["I would rather not.", /no JSON object/],
    ["[1, 2]", /no JSON object/],
    ['{"tasks": "two"}', /tasks/],
    ['{"tasks": []}', /no tasks/],
    ['{"tasks": [{"title": "  "}]}', /task 1 has no title/],
    [JSON.stringify({ tasks: Array.from({ length: 20 }, () => ({ title: "x" })) }), /20 tasks/],
  ];
  for (const [said, why] of flaws) {
    const read = readPlan(said);
    assert.ok(!read.ok, said);
    assert.match(read.why, why);
  }
});
