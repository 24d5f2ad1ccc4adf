/** `atrium build` as people use it: piped, for programs, in a terminal, interrupted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openBuildHouse, typesOf, WHOLE_BUILD, type ToldEvent } from "../../kit/builds.ts";
import { runCli, startCli, startCliInTerminal } from "../../kit/cli-process.ts";

const inTerminal = { skip: skipWithout("script") };

async function openHouse() {
  const house = await openBuildHouse();
  const at = ["--url", house.atrium.url, `--token=${house.atrium.token}`];
  return { ...house, at };
}

const idIn = (text: string): string => /build ([0-9a-f-]{36})/.exec(text)?.[1] ?? "";

test("[CLI-17] build tells each step on stderr and the result on stdout", async () => {
  await using house = await openHouse();
  await using cli = startCli(["build", ...house.at, "Build a bot"]);
  await cli.says("waiting for an answer: atrium build --answer");
  await house.api.answer(idIn(cli.stderr), { question_id: "audience", option_id: "team" });
  const { code, stdout, stderr } = await cli.ended;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^This was a rehearsal: .*\n$/);
  assert.match(
    stderr,
    /^Build a bot\nmain · build .*\n {2}1\/7 Starting your build\n {2}2\/7 Under/,
  );
  assert.match(
    stderr,
    /· answered: team\n● Thank you.*My team\n {2}3\/7 Gath[^]*7\/7 Finalizing\n$/,
  );
});

test("[CLI-17] build --json prints the events and nothing else", async () => {
  await using house = await openHouse();
  await using cli = startCli(["build", ...house.at, "--json", "--agent", "eng_1", "Build a bot"]);
  await cli.says("question.requested");
  const [first = ""] = cli.stdout.split("\n");
  const { build_id: id } = JSON.parse(first) as ToldEvent;
  await house.api.answer(id, { question_id: "audience", option_id: "me" });
  const { code, stdout } = await cli.ended;
  const told = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ToldEvent);
  assert.equal(code, 0);
  assert.deepEqual(typesOf(told), WHOLE_BUILD);
  assert.deepEqual(told, await Array.fromAsync(house.api.events(id)));
  assert.equal((await house.api.get(`/${id}`)).body.build.agent, "eng_1");
});

test("[CLI-17] a build that fails says why, with exit code 1", async () => {
  await using house = await openHouse();
  const line = `{"type":"session.failed","payload":{"reason":"No water.","source":"agent"}}`;
  const failed = await runCli(["build", ...house.at, `[[say: ${line}]]`]);
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /failed: No water\.\n$/);
  const nobody = await runCli(["build", ...house.at, "--agent", "nobody", "x"]);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /^atrium: Unknown agent: nobody\nAgents: main \(BD\), /);
});

test("[CLI-17] nothing to build is exit code 2; a prompt may be piped in", async () => {
  await using house = await openHouse();
  const nothing = await runCli(["build", ...house.at], { input: " \n" });
  assert.equal(nothing.code, 2);
  assert.match(nothing.stderr, /prompt is empty/);
  const both = await runCli(["build", ...house.at, "--follow", "x", "y"]);
  assert.equal(both.code, 2);
  const line = `{"type":"session.failed","payload":{"reason":"Heard.","source":"agent"}}`;
  const piped = await runCli(["build", ...house.at], { input: `[[say: ${line}]]\n` });
  assert.match(piped.stderr, /failed: Heard\./);
});

test(
  "[CLI-18] in a terminal the stepper is drawn and the question is answered there",
  inTerminal,
  async () => {
    await using house = await openHouse();
    await using cli = startCliInTerminal(["build", ...house.at, "Build a bot"]);
    await cli.says(/Who is this for\?[^]*›/);
    cli.type("9\n");
    await cli.says("not accepted");
    await cli.says(/not accepted[^]*Who is this for\?[^]*›/);
    cli.type("2\n");
    const { code, stdout } = await cli.ended;
    const seen = stripVTControlCharacters(stdout);
    assert.equal(code, 0, seen);
    assert.match(seen, /○ Understanding your request/);
    assert.match(seen, /answered: team/);
    const last = seen.slice(seen.lastIndexOf("Starting your build"));
    assert.match(last, /^Starting your build +\S+ m?s/);
    assert.equal(last.match(/✓/g)?.length, 6);
    assert.match(last, /This was a rehearsal/);
  },
);

test("[CLI-19] Ctrl-C asks: cancel it, leave it running, or go on", inTerminal, async () => {
  await using house = await openHouse();
  const start = async (answer: string) => {
    const cli = startCliInTerminal(["build", ...house.at, "Build a bot"]);
    await cli.says(/Who is this for\?[^]*›/);
    cli.type("\u0003");
    await cli.says(/Stop watching\?[^]*›/);
    cli.type(`${answer}\n`);
    return cli;
  };
  const stageOf = async (stdout: string) =>
    (await house.api.get(`/${idIn(stripVTControlCharacters(stdout))}`)).body.build.stage;
  const cancelled = await (await start("1")).ended;
  assert.equal(cancelled.code, 130);
  assert.equal(await stageOf(cancelled.stdout), "cancelled");
  const left = await (await start("2")).ended;
  assert.equal(left.code, 130);
  assert.match(left.stdout, /keeps running.*--follow/);
  assert.equal(await stageOf(left.stdout), "waiting");
  await using stays = await start("3");
  await stays.says(/keep watching[^]*Who is this for\?[^]*›/);
  stays.type("1\n");
  assert.equal((await stays.ended).code, 0);
});

test("[CLI-19] --follow looks at a build again; without a person Ctrl-C leaves it running", async () => {
  await using house = await openHouse();
  const id = await house.api.start("Build a bot");
  await using first = startCli(["build", ...house.at, "--follow", id]);
  await first.says("waiting for an answer");
  first.signal("SIGINT");
  const left = await first.ended;
  assert.equal(left.code, 130);
  assert.match(left.stderr, /keeps running; to watch it again: atrium build --follow/);
  await house.api.answer(id, { question_id: "audience", option_id: "me" });
  const { code, stderr } = await runCli(["build", ...house.at, "--follow", id]);
  assert.equal(code, 0);
  assert.match(stderr, /1\/7 Starting your build[^]*7\/7 Finalizing/);
  assert.equal((await runCli(["build", ...house.at, "--follow", "none"])).code, 1);
});

test("[CLI-20] without a person the question is printed with its options and what answers it", async () => {
  await using house = await openHouse();
  await using cli = startCli(["build", ...house.at, "Build a bot"]);
  await cli.says("waiting for an answer");
  const id = idIn(cli.stderr);
  assert.match(cli.stderr, /\? Who is this for\?\n {2}1 me: Just me\n {2}2 team: My team\n/);
  assert.ok(cli.stderr.endsWith(`· waiting for an answer: atrium build --answer ${id} me\n`));
  const wrong = await runCli(["build", ...house.at, "--answer", id, "purple"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /purple does not answer audience\.\nUse one of: me \(Just me\), team/);
  const right = await runCli(["build", ...house.at, "--answer", id, "my", "team"]);
  assert.equal(right.code, 0, right.stderr);
  assert.equal((await cli.ended).code, 0);
  assert.match(cli.stderr, /· answered: team\n/);
  const late = await runCli(["build", ...house.at, "--answer", id, "team"]);
  assert.equal(late.code, 1);
  assert.match(late.stderr, /has no open question\. Its stage is completed/);
});

test("[CLI-20] several questions are answered by their names, followed or for programs", async () => {
  await using house = await openHouse();
  const asked = JSON.stringify({
    type: "questions.requested",
    payload: {
      question_set_id: "both",
      prompt: "Two things",
      required_all: true,
      questions: [
        { question_id: "name", prompt: "What is it called?", input: "text" },
        {
          question_id: "size",
          prompt: "How big?",
          input: "single_choice",
          options: [
            { id: "s", label: "Small" },
            { id: "l", label: "Large" },
          ],
        },
      ],
      source: "agent",
    },
  });
  const id = await house.api.start(`[[say: ${asked}]]`);
  await using follower = startCli(["build", ...house.at, "--follow", id]);
  await follower.says(`waiting for an answer: atrium build --answer ${id} name="…" size=s`);
  const one = await runCli(["build", ...house.at, "--answer", id, "big"]);
  assert.equal(one.code, 2);
  assert.match(one.stderr, /Answer each by its name: name=… size=…/);
  const args = ["--answer", id, "name=a=b c", "size=2", "--json"];
  const both = await runCli(["build", ...house.at, ...args]);
  assert.equal(both.code, 0, both.stderr);
  assert.deepEqual(JSON.parse(both.stdout).answers, [
    { question_id: "name", text: "a=b c" },
    { question_id: "size", option_id: "l" },
  ]);
});

test("[CLI-18] without a person what need not be answered is left blank by a command", async () => {
  await using house = await openHouse();
  const question = { question_id: "name", prompt: "A name?", input: "text", required: false };
  const asked = { type: "question.requested", payload: { ...question, source: "agent" } };
  const id = await house.api.start(`[[say: ${JSON.stringify(asked)}]]`);
  await using follower = startCli(["build", ...house.at, "--follow", id]);
  await follower.says(`or skip it: atrium build --answer ${id} ""`);
  const blank = await runCli(["build", ...house.at, "--answer", id, "", "--json"]);
  assert.equal(blank.code, 0, blank.stderr);
  assert.deepEqual(JSON.parse(blank.stdout).answers, [{ question_id: "name" }]);
  await follower.says("answered: (left blank)");
});

test("[CLI-18] in a terminal Enter alone leaves it blank", inTerminal, async () => {
  await using house = await openHouse();
  const set = {
    question_set_id: "both",
    prompt: "Two things",
    required_all: false,
    questions: [
      { question_id: "name", prompt: "A name?", input: "text" },
      { question_id: "size", prompt: "How big?", input: "text" },
    ],
  };
  const asked = { type: "questions.requested", payload: { ...set, source: "agent" } };
  const prompt = `[[say: ${JSON.stringify(asked)}]]`;
  await using cli = startCliInTerminal(["build", ...house.at, prompt]);
  await cli.says(/A name\? \(optional; Enter skips it\)[^]*›/);
  cli.type("\n");
  await cli.says(/How big\? \(optional; Enter skips it\)[^]*›/);
  cli.type("Huge\n");
  await cli.says("answered: (left blank), Huge");
});

test("[CLI-18] without a person a permission is printed whole, with what answers it", async () => {
  await using house = await openHouse();
  const command = `npm publish; echo ${"z".repeat(500)} | sh`;
  await using cli = startCli(["build", ...house.at, `[[approve: shell ${command}]] [[say: so]]`]);
  await cli.says(/waiting for permission; answer in its chat: yes [a-z]{5} or no [a-z]{5}/);
  assert.ok(cli.stderr.includes(command), cli.stderr);
  assert.match(cli.stderr, /Allow: shell\n/);
});

test(
  "[CLI-18] in a terminal a permission is read whole and decided, and so is a question",
  inTerminal,
  async () => {
    await using house = await openHouse();
    const ask = "[[ask: Which color? | Red | Green]]";
    const prompt = `[[approve: shell npm publish; rm -r build]] ${ask} [[say: so]]`;
    await using cli = startCliInTerminal(["build", ...house.at, prompt]);
    await cli.says(/Allow: shell[^]*npm publish; rm -r build[^]*allow once[^]*›/);
    cli.type("1\n");
    await cli.says(/allowed by /);
    await cli.says(/Which color\?[^]*Red[^]*Green[^]*›/);
    cli.type("2\n");
    await cli.says(/answered: Green/);
  },
);
