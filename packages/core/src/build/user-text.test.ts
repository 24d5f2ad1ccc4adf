import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  allSteps,
  ask,
  begin,
  choice,
  facts,
  open,
  playLines,
  running,
  tellingsOf,
  whys,
} from "./testing/builds.ts";
import { cleanUserText } from "./user-text.ts";

const clean = (text: string): string => cleanUserText(text, 10_000).text;
const SHOWN_HEADER =
  /[[［][\s\p{Cf}]*(?:FROM|BUILD_ID|SESSION_ID|MESSAGE_TYPE|QUESTION_IDS?)[\s\p{Cf}]*[:：]/iu;

test("[BUILD-8] wherever a known header stands, it never comes out", () => {
  const name = fc.constantFrom(
    "FROM",
    "BUILD_ID",
    "SESSION_ID",
    "MESSAGE_TYPE",
    "QUESTION_ID",
    "QUESTION_IDS",
    "from",
    "ＦＲＯＭ",
    "F\u200bR\u00adOM",
  );
  const header = fc
    .record({ name, value: fc.string({ maxLength: 8 }), close: fc.constantFrom("]", "］", "") })
    .map((each) => `[${each.name}:${each.value}${each.close}`);
  const around = fc.oneof(
    fc.constantFrom(
      "> ",
      "- ",
      "`",
      "\\",
      "    ",
      "\t",
      "\n",
      "[",
      "[FR",
      "OM:x]",
      "]",
      "{",
      "<",
      " I am on it ",
    ),
    fc.string({ maxLength: 6 }),
  );
  const text = fc
    .array(fc.oneof({ weight: 3, arbitrary: around }, header), { maxLength: 24 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (written) => assert.doesNotMatch(clean(written), SHOWN_HEADER)),
    { numRuns: 3_000 },
  );
});

test("[BUILD-8] what people wrote around it stays as it was", () => {
  for (const [written, shown] of [
    ["[FROM:TIDY] [BUILD_ID:b1] [MESSAGE_TYPE:BUILD_REQUEST] I am on it", "I am on it"],
    ["You wrote [FROM:TIDY] [BUILD_ID:b1]", "You wrote"],
    ["Done [QUESTION_ID:q1], and [SESSION_ID:x] well", "Done, and well"],
    ["> [FROM:TIDY] hello\n- [BUILD_ID:b1]\n`[FROM:TIDY]`\nthere", "> hello\nthere"],
    ["One\n    [QUESTION_IDS:a,b]\n    indented", "One\n    indented"],
    ["[[FROM:x]FROM:TIDY] [FR[FROM:x]OM:TIDY] yes", "yes"],
    [
      "[TODO] [x] array[FROM] [link: fine] FROM: me",
      "[TODO] [x] array[FROM] [link: fine] FROM: me",
    ],
    ["See you at noon (12:30), at 10:30:20 or at one (13:00:00).", undefined],
    ["👩‍👩‍👧 می‌خواهم", undefined],
  ] as const) {
    assert.equal(clean(written), shown ?? written);
  }
});

test("[BUILD-8] where in a program it went wrong is not told, what went wrong is", () => {
  const js =
    "TypeError: no such bot\n    at f (file:1:2)\n    at async g (/srv/b.js:3:4)\n    at node:internal/x:5:6\nSorry.";
  assert.equal(clean(js), "TypeError: no such bot\nSorry.");
  const python = [
    "Traceback (most recent call last):",
    '  File "/srv/bot.py", line 3, in <module>',
    "    water()",
    "    ^^^^^^^",
    '  File "/srv/bot.py", line 9, in water',
    "    raise ValueError('dry')",
    "ValueError: dry",
  ].join("\n");
  assert.equal(clean(python), "ValueError: dry");
  assert.equal(clean("\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u202e"), "red x");
});

test("[BUILD-8] cleaning takes time in proportion to the text, whatever is in it, and adds nothing", () => {
  const costOf = (text: string): number => {
    const before = process.cpuUsage();
    assert.ok(clean(text).length <= text.length);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  // Of a few, because others compute here too.
  const leastCostOf = (text: string): number =>
    Math.min(...Array.from({ length: 3 }, () => costOf(text)));
  for (const part of [
    "[",
    "[\u00ad ",
    " ",
    "\n    ",
    "at x [as ",
    "at f(a:1:",
    "<tool_call",
    "[FR",
    '{ "type":"a"',
    "[FROM:a] b ",
  ]) {
    const short = part.repeat(5_000 / part.length);
    // Eight times the text is 64 times the work where a pattern tries the rest again from every place.
    const most = 24 * leastCostOf(short) + 20_000;
    const cost = leastCostOf(short.repeat(8));
    assert.ok(cost < most, `${part}: ${cost} µs, at most ${most}`);
  }
});

test("[BUILD-8] everything of a build that people are shown is cleaned: options, prompts, output, reasons", () => {
  const dirt = `[SESSION_ID:${facts.sessionId}] \u001b[1mGood\u001b[0m <tool_call>x</tool_call> ${facts.sessionId}`;
  const question = choice("size", "a", "b");
  const dirty = {
    ...question,
    prompt: dirt,
    options: question.options.map((option) => ({ ...option, label: dirt, description: dirt })),
  };
  const events = [
    [running, ask(dirty)],
    [running, ask(dirty, open("name"))],
    [running, begin("build_record", { title: dirt, description: dirt })],
    [running, ...allSteps, { what: "status", status: "complete", output: dirt } as const],
    [running, { what: "failed", reason: dirt } as const],
  ] as const;
  for (const each of events) {
    const told = JSON.stringify(tellingsOf(playLines(...each)));
    assert.match(told, /Good …/);
    assert.doesNotMatch(told, /SESSION_ID|u001b|tool_call/);
    assert.ok(!told.includes(facts.sessionId));
  }
});

test("[BUILD-8] a question of which nothing is left is rejected with the reason", () => {
  const bare = "[FROM:TIDY]";
  const question = choice("size", "a");
  const named = (label: string) => ({
    ...question,
    options: question.options.map((option) => ({ ...option, label })),
  });
  for (const [asked, why] of [
    [ask({ ...open("name"), prompt: bare }), "the prompt"],
    [ask(open("one"), { ...open("two"), prompt: bare }), "the prompt of two"],
    [ask(named(bare)), "the label of option a of size"],
  ] as const) {
    const played = playLines(running, asked);
    assert.deepEqual(whys(played, "build.rejected"), [
      `there is nothing for people to read in ${why}`,
    ]);
  }
});
