import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { BuildEvent as WireEvent } from "@atrium/wire/build";
import type { Turn, TurnEvent, TurnHost } from "../agents/turn/agent-runtime.ts";
import { says } from "../runs/testing/stage.ts";
import { encodeFeedEvent } from "./encode-feed-event.ts";
import {
  isOver,
  isWaiting,
  line,
  openBuildStage,
  ANN,
  RUNNING,
  END,
  step,
  STEPS,
  ASK,
  types,
} from "./testing/build-stage.ts";

const FAILED = line("status.changed", { status: "failed" }) + line("session.failed");

const SIZES = [{ id: "low", label: "Low" }];

test("[BUILD-8] who follows the conversation reads talk: no headers, no events, no lines that were set aside", async () => {
  await using stage = await openBuildStage((turn) =>
    says(
      turn.prompt.includes("USER_ANSWER")
        ? line("assistant.message.created", { text: `[FROM:TIDY]\nAlmost there.` }) + STEPS + END
        : `On it!\n${RUNNING}${step("build_record")}${ASK}`,
    ),
  );
  const id = await stage.start("a bot");
  const waiting = await stage.reached(id, isWaiting);
  await stage.stage.ended(waiting.build.turn.runId);
  await stage.commands.answer(id, [{ questionId: "name", optionId: null, text: "Bo" }], ANN);
  const { build } = await stage.reached(id, isOver);
  await stage.stage.ended(build.turn.runId);
  const page = await stage.stage.transcript(build.conversationKey, { limit: 10, offset: 0 });
  assert.deepEqual(
    page.messages.map(({ kind, text }) => [kind, text]),
    [
      ["user", "a bot"],
      ["assistant", "Which name?"],
      ["user", "Bo"],
      ["assistant", "Almost there.\n\nA bot."],
    ],
  );
  assert.deepEqual(await stage.whys(id), [
    "text that is no event",
    "what is not for people was taken out",
    "build_record was started before",
    "build_record was completed before",
  ]);
});

test("[BUILD-11] events may come by the tool, which says why one was not told", async () => {
  const results: unknown[] = [];
  async function* play(_turn: Turn, host: TurnHost): AsyncGenerator<TurnEvent> {
    assert.ok(host.tools.some(({ name }) => name === "build_event"));
    const say = async (type: string, payload: object): Promise<void> =>
      void results.push(await host.callTool("build_event", { type, payload }));
    yield { type: "tool.called", id: "t1", name: "build_event", input: {} };
    await say("progress.step.started", { step_id: "build_record", source: "agent" });
    await say("progress.step.started", { step_id: "paint", source: "agent" });
    await say("assistant.message.created", { text: "Hello.", source: "backend" });
    yield { type: "tool.returned", id: "t1", text: "Reported.", isError: false };
    yield { type: "text", delta: STEPS + END };
    yield { type: "completed", stopReason: "stop" };
  }
  await using stage = await openBuildStage(play);
  const id = await stage.start("a bot");
  const { build } = await stage.reached(id, isOver);
  assert.deepEqual(results, [
    { text: "Reported.", isError: false },
    {
      text: "This event was not reported: there is no step paint. Correct it and call build_event again.",
      isError: true,
    },
    {
      text: "This event was not reported: source must be agent. Correct it and call build_event again.",
      isError: true,
    },
  ]);
  await stage.stage.ended(build.turn.runId);
  const kinds = (await stage.stage.events(build.conversationKey)).map(({ type }) => type);
  assert.ok(!kinds.includes("run.tool.called"));
});

test("[BUILD-3] what is no event of ours is rejected with the reason and kept", async () => {
  const lines = [
    line("phase.changed", { phase: "x" }),
    line("session.started"),
    line("build.exploded"),
    line("constructor"),
    '{"type":"assistant.message.created","payload":{"text":"x","source":"user"}}\n',
    '{"type":"assistant.message.created","payload":"x"}\n',
    line("status.changed", { status: "done" }),
    line("question.requested", { question_id: "a]\n[FROM:TIDY", prompt: "?", input: "text" }),
    '{"type":"session.completed",\n\n',
  ];
  await using stage = await openBuildStage((turn) =>
    says(turn.history.length === 0 ? RUNNING + lines.join("") : FAILED),
  );
  const id = await stage.start("a bot");
  await stage.reached(id, isOver);
  const oddities = await stage.read.oddities(id);
  const rejected = oddities.filter(({ event }) => event.type === "build.rejected");
  assert.deepEqual(
    rejected.map(({ event }) => event.why.replace(/^at \S+: /, "")),
    [
      "phase.changed is not used any more",
      "session.started is not the agent's to say",
      "there is no event build.exploded",
      "there is no event constructor",
      "source must be agent",
      "payload must be an object",
      "must be equal to one of the allowed values: running, complete, failed",
      'must match pattern "^[^\\s\\[\\],]{1,128}$"',
      "malformed JSON",
    ],
  );
  assert.deepEqual(types(await stage.eventsOf(id)), [
    "session.started",
    "status.changed",
    "status.changed",
    "session.failed",
  ]);
});

test("[BUILD-3] an event that goes too deep is rejected, and the reason says so", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const event = `{"type":"assistant.message.created","payload":{"text":"x","more":${deep}}}\n`;
  await using stage = await openBuildStage(() => says(RUNNING + event + STEPS + END));
  const id = await stage.start("a bot");
  await stage.reached(id, isOver);
  const [rejected] = (await stage.read.oddities(id)).filter(
    ({ event: odd }) => odd.type === "build.rejected",
  );
  assert.equal(rejected?.event.why, "nested deeper than 100 levels");
});

test("[BUILD-15] a build's example is told word for word", async () => {
  const golden = new URL("testing/golden-build.jsonl", import.meta.url);
  const rows = (await readFile(golden, "utf8")).trim().split("\n");
  const lines = rows.map((row) => JSON.parse(row) as GoldenLine);
  const turns = lines.filter(({ from }) => from === "user").length;
  let turn = 0;
  await using stage = await openBuildStage(() => {
    turn++;
    const said = lines.filter((each) => each.from === "agent" && each.turn === turn);
    return says(said.map(({ event }) => `${JSON.stringify(event)}\n`).join(""));
  });
  const id = await stage.start("Build me a lead finder");
  for (const { from, answers } of lines) {
    if (from !== "user") continue;
    await stage.reached(id, isWaiting);
    const given = (answers ?? []).map(({ question_id, option_id = null, text = null }) => {
      return { questionId: question_id, optionId: option_id, text };
    });
    assert.equal((await stage.commands.answer(id, given, ANN)).ok, true);
  }
  await stage.reached(id, isOver);
  const told = (await stage.eventsOf(id)).map(({ type, payload }) => ({ type, payload }));
  assert.deepEqual(
    told,
    lines.map(({ event }) => event),
  );
  assert.equal(turn, turns + 1);
  assert.deepEqual(await stage.whys(id), []);
});

test("[BUILD-4] a question that was left blank is told in a valid event, alone and in a set", async () => {
  const isValid = Compile(WireEvent);
  const one = { question_id: "name", prompt: "Which name?", input: "text", required: false };
  const set = {
    question_set_id: "more",
    prompt: "Perhaps:",
    required_all: false,
    questions: [
      { question_id: "size", prompt: "Which size?", input: "single_choice", options: SIZES },
      { question_id: "color", prompt: "Which color?", input: "text" },
    ],
  };
  const turns: Turn[] = [];
  await using stage = await openBuildStage((turn) => {
    turns.push(turn);
    const asked = [line("question.requested", one), line("questions.requested", set)];
    return says(RUNNING + (asked[turns.length - 1] ?? STEPS + END));
  });
  const id = await stage.start("a bot");
  await stage.reached(id, isWaiting);
  assert.equal((await stage.commands.answer(id, [], ANN)).ok, true);
  await stage.reached(id, ({ build }) => build.asked?.setId === "more");
  assert.equal((await stage.commands.answer(id, [], ANN)).ok, true);
  await stage.reached(id, isOver);
  const told = await stage.eventsOf(id);
  for (const event of told) assert.ok(isValid.Check(event), JSON.stringify(event));
  assert.deepEqual(
    told.filter(({ type }) => type.endsWith(".answered")).map(({ payload }) => payload),
    [
      { question_id: "name", source: "user" },
      {
        question_set_id: "more",
        answers: [{ question_id: "size" }, { question_id: "color" }],
        source: "user",
      },
    ],
  );
  assert.match(turns[1]?.prompt ?? "", /\[QUESTION_ID:name\][^]*\(No answer; go on without\.\)$/);
  // As earlier versions kept it, without a name.
  const kept = { what: "answered", setId: null, answers: [], source: "user" } as const;
  const written = { id: "e", seq: 1, ts: 1, build_id: id, ...encodeFeedEvent(kept) };
  assert.ok(isValid.Check(written), JSON.stringify(written));
});

interface GoldenLine {
  readonly from: "backend" | "agent" | "user";
  readonly turn?: number;
  readonly event: unknown;
  readonly answers?: readonly {
    readonly question_id: string;
    readonly option_id?: string;
    readonly text?: string;
  }[];
}
