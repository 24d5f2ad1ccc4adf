/** Any sequence of lines, answers and interruptions leaves a legal build, told in a legal order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createBuilds } from "../projections/builds.ts";
import { build } from "./build.ts";
import type { BuildCommand, BuildEvent, AgentBuildEvent, BuildFeedEvent } from "./events.ts";
import { hasEnded } from "./state.ts";
import {
  allSteps,
  ann,
  ask,
  begin,
  CHECKED_START,
  choice,
  finish,
  open,
  play,
  playLines,
  START,
  STEP_IDS,
  tellingsOf,
  waitFor,
} from "./testing/builds.ts";

const step = fc.constantFrom(...STEP_IDS, "paint");
const agentEvent: fc.Arbitrary<AgentBuildEvent> = fc.oneof(
  fc.record({ what: fc.constant("message" as const), text: fc.string() }),
  fc
    .record({ id: step, index: fc.option(fc.integer()) })
    .map(({ id, index }) => begin(id, { index })),
  step.map(finish),
  fc.record({
    what: fc.constant("status" as const),
    status: fc.constantFrom("running" as const, "complete" as const, "failed" as const),
    output: fc.option(fc.string()),
  }),
  fc.constantFrom("q1", "q2").map((id) => ask(choice(id, "a", "b"))),
  fc.constant(ask(open("q3"), choice("q4", "a"))),
  fc.constant<AgentBuildEvent>({ what: "completed" }),
  fc.record({ what: fc.constant("failed" as const), reason: fc.option(fc.string()) }),
);
const origin = fc.record({
  runId: fc.integer({ min: 1, max: 4 }).map((number) => `build:b1:${number}`),
  line: fc.integer({ min: 1, max: 30 }),
});
const given = fc.record({
  questionId: fc.constantFrom("q1", "q2", "q3", "q4", "q5"),
  optionId: fc.constantFrom("a", "z", null),
  text: fc.constantFrom("words", "", null),
});
function finishChecks({ runId, isGood }: { runId: string; isGood: boolean }): BuildCommand {
  const verdict = isGood ? "passed" : "failed";
  const result = { name: "test", required: true, verdict, exitCode: 1, ms: 1, tail: "" } as const;
  return { type: "finish-checks", runId, results: [result], problem: null };
}

const waitId = fc.constantFrom("w1", "w2", "__proto__");
const command: fc.Arbitrary<BuildCommand> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ origin, event: agentEvent }).map((each): BuildCommand => {
      const parsed = { ok: true, event: each.event, repairs: [] } as const;
      return { type: "record", origin: each.origin, text: "", parsed };
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("answer" as const),
      answers: fc.array(given, { maxLength: 3 }),
    }),
  },
  fc.record({
    type: fc.constant("end-turn" as const),
    runId: origin.map(({ runId }) => runId),
    how: fc.constantFrom("completed" as const, "failed" as const, "cut-off" as const),
    reason: fc.string(),
  }),
  {
    weight: 2,
    arbitrary: waitId.map((id): BuildCommand => ({ type: "wait", wait: waitFor(id) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ id: waitId, how: fc.constantFrom("denied" as const, "expired" as const) })
      .map(({ id, how }): BuildCommand => {
        const outcome = how === "expired" ? { how } : { how, by: "Ann", note: null };
        return { type: "end-wait", id, outcome };
      }),
  },
  fc.record({ runId: origin.map(({ runId }) => runId), isGood: fc.boolean() }).map(finishChecks),
  fc.string().map((text): BuildCommand => ({ type: "reply", text })),
  fc.record({ type: fc.constant("reassure" as const), told: fc.nat({ max: 20 }) }),
  fc.constant<BuildCommand>({ type: "cancel", by: ann }),
);

function letterOf(telling: BuildFeedEvent): string {
  switch (telling.what) {
    case "started":
      return "S";
    case "message":
      return "M";
    case "step-started":
      return ">";
    case "step-completed":
      return "<";
    case "status":
      return { running: "R", complete: "C", failed: "F" }[telling.status];
    case "asked":
      return "Q";
    case "answered":
      return "A";
    case "wait-began":
      return "W";
    case "wait-ended":
      return "V";
    case "checks-started":
      return "K";
    case "checks-finished":
      return "L";
    case "completed":
      return "E";
    case "failed":
      return "X";
  }
}

/** The same, said again in another way: what may follow what, with the steps and questions counted. */
function checkOrder(tellings: readonly BuildFeedEvent[]): void {
  let current: string | undefined;
  let furthest = -1;
  let isOpen = false;
  let verdict: string | undefined;
  let isOver = false;
  const waits = new Set<string>();
  for (const [at, telling] of tellings.entries()) {
    assert.ok(!isOver, "nothing after the end");
    assert.equal(telling.what === "started", at === 0);
    if (at === 1) assert.ok(telling.what === "status" && telling.status === "running");
    if (isOpen) {
      assert.ok(
        ["answered", "status", "failed", "wait-began", "wait-ended"].includes(telling.what),
      );
    }
    if (verdict !== undefined) {
      assert.equal(telling.what, verdict === "complete" ? "completed" : "failed");
    }
    switch (telling.what) {
      case "step-started": {
        assert.equal(current, undefined);
        const place = STEP_IDS.findIndex((id) => id === telling.stepId);
        assert.equal(place, furthest + 1, "no step is skipped");
        assert.deepEqual([telling.index, telling.total], [place + 1, STEP_IDS.length]);
        current = telling.stepId;
        furthest = place;
        break;
      }
      case "step-completed":
        assert.equal(telling.stepId, current);
        current = undefined;
        break;
      case "status":
        assert.equal(telling.status === "running", at === 1);
        if (telling.status !== "running") verdict = telling.status;
        if (telling.status === "complete") {
          assert.equal(current, undefined);
          assert.equal(furthest, STEP_IDS.length - 1, "complete only after the last step");
        }
        isOpen = false;
        break;
      case "asked":
        isOpen = true;
        break;
      case "answered":
        assert.ok(isOpen);
        isOpen = false;
        break;
      case "wait-began":
        assert.ok(!waits.has(telling.wait.id));
        waits.add(telling.wait.id);
        break;
      case "wait-ended":
        assert.ok(waits.delete(telling.wait.id), "only what was waited for ends");
        break;
      case "completed":
      case "failed":
        assert.notEqual(verdict, undefined);
        isOver = true;
        break;
      case "message":
        assert.notEqual(telling.text, "");
        break;
      case "checks-started":
      case "checks-finished":
      case "started":
        break;
    }
  }
}

test("[BUILD-1] whatever is said and answered, people are told a legal story", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), fc.boolean(), (commands, isChecked) => {
      const { state, events } = play(isChecked ? CHECKED_START : START, ...commands);
      const tellings = events.flatMap((each) => (each.type === "build.told" ? [each.telling] : []));
      checkOrder(tellings);
      assert.match(tellings.map(letterOf).join(""), /^S(?:R[M><QAWVKL]*(?:[CF][EX]?)?)?$/);
      assert.ok(state.stage !== "absent");
      assert.equal(state.told, tellings.length);
      assert.equal(state.stage === "waiting", state.asked !== null && !hasEnded(state));
      if (hasEnded(state)) assert.deepEqual(state.waits, []);
      const last = tellings.at(-1)?.what;
      assert.equal(hasEnded(state), last === "completed" || last === "failed");
    }),
    { numRuns: 2_000 },
  );
});

/** The right order with lines missing, said twice or out of place: how an agent goes wrong that nearly goes right. */
const nearlyRight = fc
  .array(fc.constantFrom("keep" as const, "drop" as const, "twice" as const, "swap" as const), {
    minLength: 17,
    maxLength: 17,
  })
  .map((fates) => {
    const right: readonly AgentBuildEvent[] = [
      { what: "status", status: "running", output: null },
      ...allSteps,
      { what: "status", status: "complete", output: null },
      { what: "completed" },
    ];
    return right.flatMap((each, at): readonly AgentBuildEvent[] => {
      const fate = fates[at] ?? "keep";
      switch (fate) {
        case "drop":
          return [];
        case "twice":
          return [each, each];
        case "swap":
          return [right[at + 1] ?? each, each];
        case "keep":
          return [each];
      }
    });
  });

test("[BUILD-3] a build is completed only when every step was seen, whatever was left out", () => {
  let completed = 0;
  fc.assert(
    fc.property(nearlyRight, (events) => {
      const played = playLines(...events);
      const tellings = tellingsOf(played);
      checkOrder(tellings);
      const begun = tellings.filter(({ what }) => what === "step-started").length;
      const done = tellings.filter(({ what }) => what === "step-completed").length;
      if (played.state.stage !== "completed") return;
      completed += 1;
      assert.deepEqual([begun, done], [STEP_IDS.length, STEP_IDS.length]);
    }),
    { numRuns: 2_000 },
  );
  assert.ok(completed > 0);
});

test("[BUILD-1] saying everything twice is saying it once", () => {
  fc.assert(
    fc.property(fc.array(agentEvent, { maxLength: 30 }), (events) => {
      const lines = events.map((each, at): BuildCommand => {
        const parsed = { ok: true, event: each, repairs: [] } as const;
        return { type: "record", origin: { runId: "build:b1:1", line: at + 1 }, text: "", parsed };
      });
      const twice = lines.flatMap((line) => [line, line]);
      assert.deepEqual(play(START, ...twice, ...lines).events, play(START, ...lines).events);
    }),
  );
});

test("the list of builds is a fold: latest first, in pages, the same from a snapshot", () => {
  const builds = createBuilds();
  let seq = 0;
  const apply = (id: string, { type, ...data }: BuildEvent): void =>
    builds.apply({ seq: ++seq, stream: `${build.name}/${id}`, type, at: seq, data });
  for (let n = 0; n < 1_010; n++) {
    const id = `b${n}`;
    const { events } = play(
      { ...START, id },
      ...(n < 1_005 ? [{ type: "cancel", by: ann } as const] : []),
    );
    for (const event of events) apply(id, event);
  }
  assert.equal([...builds.open()].length, 5);
  assert.equal(builds.get("b0"), undefined);
  assert.equal(builds.get("b1004")?.build.stage, "cancelled");
  const first = builds.list(3);
  assert.deepEqual(
    first.map(({ build: { id } }) => id),
    ["b1009", "b1008", "b1007"],
  );
  const next = builds.list(3, first.at(-1)?.firstSeq);
  assert.deepEqual(
    next.map(({ build: { id } }) => id),
    ["b1006", "b1005", "b1004"],
  );
  const loaded = createBuilds();
  loaded.load(JSON.parse(JSON.stringify(builds.save())));
  assert.deepEqual(loaded.list(2_000), builds.list(2_000));
});
