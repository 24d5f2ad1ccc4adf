import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestTime } from "@atrium/core/testing";
import * as fc from "fast-check";
import { assertWorldMessage } from "../../../../../../test/kit/world-peer.ts";
import { LiveChecks } from "../../../workshop/checks/live-checks.ts";
import { AgentStream, type Delta } from "./agent-stream.ts";
import { createAgentStreams } from "./agent-streams.ts";
import { CodeFenceSplitter } from "./code-fences.ts";

function createStage() {
  const hand = createTestTime(0);
  const said: Delta[] = [];
  const stream = new AgentStream(hand.timers, (delta) => said.push(delta));
  return { hand, said, stream };
}

test("[WORLD-24] words are gathered, numbered from 1 without a gap, and closed once", () => {
  const { hand, said, stream } = createStage();
  for (const delta of ["Hel", "lo", " you"]) stream.onLiveEvent({ type: "text", delta });
  assert.equal(said.length, 0);
  hand.advance(100);
  stream.onLiveEvent({ type: "thinking", delta: "hm" });
  stream.onLiveEvent({ type: "text", delta: "!" });
  stream.end();
  hand.advance(1_000);
  assert.deepEqual(
    said.map(({ kind, seq, delta, done }) => [kind, seq, delta, done]),
    [
      ["token", 1, "Hello you", false],
      ["thought", 2, "hm", false],
      ["token", 3, "!", false],
      ["token", 4, "", true],
    ],
  );
  assert.equal(hand.pending, 0);
});

test("[WORLD-24] a newcomer is told what was said so far, thoughts left out, and goes on with everyone", () => {
  const { hand, said, stream } = createStage();
  assert.equal(stream.current(), undefined);
  stream.onLiveEvent({ type: "text", delta: "One " });
  stream.onLiveEvent({ type: "thinking", delta: "secret" });
  hand.advance(100);
  stream.onLiveEvent({ type: "text", delta: "two" });
  assert.deepEqual(stream.current(), { kind: "token", seq: 2, delta: "One ", done: false });
  hand.advance(100);
  assert.deepEqual(said.at(-1), { kind: "token", seq: 3, delta: "two", done: false });
});

test("[WORLD-24] what was said so far has another id than what it sums up, whenever it is told", () => {
  const hand = createTestTime(0);
  const sent: string[] = [];
  const streams = createAgentStreams({
    crew: [{ id: "agent_a", handle: "a", name: "A", role: "writer" }],
    projects: { ofRun: () => undefined, ofTask: () => undefined },
    timers: hand.timers,
    now: () => 1,
    publish: (text) => sent.push(text),
  });
  streams.onLiveEvent({ runId: "r 1", handle: "a" } as never, { type: "text", delta: "One" });
  hand.advance(100);
  const late = streams.current();
  streams.onLiveEvent({ runId: "r 1", handle: "a" } as never, { type: "text", delta: " two" });
  hand.advance(100);
  const ids = [...sent, ...late, ...streams.current()].map((text) => {
    assertWorldMessage(JSON.parse(text));
    return /"id":"([^"]+)"/.exec(text)?.[1];
  });
  assert.equal(new Set(ids).size, 4);
});

test("[WORLD-24] what stands between fences is code, however the words are cut", () => {
  const text = "See:\n```ts\nconst a = 1;\n```\nDone `x` and ~~~ inline\n  ~~~\nmore\n~~~\nend";
  const kinds = (pieces: readonly { kind: string; text: string }[]): string =>
    pieces.map((piece) => (piece.kind === "code" ? "c" : "t").repeat(piece.text.length)).join("");
  const whole = new CodeFenceSplitter().split(text);
  assert.deepEqual(
    whole.filter(({ kind }) => kind === "code").map((piece) => piece.text),
    ["```ts\nconst a = 1;\n```\n", "  ~~~\nmore\n~~~\n"],
  );
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const ends = [...cuts.toSorted((a, b) => a - b), text.length];
      const fences = new CodeFenceSplitter();
      let at = 0;
      const pieces = ends.flatMap((end) => {
        const part = text.slice(at, end);
        at = end;
        return part === "" ? [] : fences.split(part);
      });
      assert.equal(pieces.map((piece) => piece.text).join(""), text);
      // A fence is one as soon as its third mark has come: of the marks before it only the kind may differ.
      const lines = kinds(whole);
      const seen = kinds(pieces);
      for (const [index, kind] of lines.split("").entries()) {
        if (!"`~ ".includes(text[index] ?? "")) assert.equal(seen[index], kind, `at ${index}`);
      }
    }),
  );
});

test("[WORLD-27] what a tool puts out is a stream of its own, which ends when the tool has returned", () => {
  const hand = createTestTime(0);
  const sent: string[] = [];
  const streams = createAgentStreams({
    crew: [{ id: "agent_a", handle: "a", name: "A", role: "writer" }],
    projects: { ofRun: () => undefined, ofTask: () => undefined },
    timers: hand.timers,
    now: () => 1,
    publish: (text) => sent.push(text),
  });
  const run = { runId: "r1", handle: "a" } as never;
  const payloads = () =>
    sent.splice(0).map((text) => {
      const { payload, ...message } = JSON.parse(text);
      assertWorldMessage({ ...message, payload });
      return payload;
    });
  streams.onLiveEvent(run, { type: "text", delta: "I run it." });
  streams.onLiveEvent(run, { type: "output", callId: "c1", text: "```one\n" });
  streams.onLiveEvent(run, { type: "output", callId: "c1", text: "two\n" });
  hand.advance(100);
  const call = { stream_id: "r1:c1", agent_id: "agent_a", run_id: "r1", call_id: "c1" };
  const words = { stream_id: "r1", agent_id: "agent_a", kind: "token", seq: 1 };
  assert.deepEqual(payloads(), [
    { ...words, delta: "I run it.", done: false },
    { ...call, kind: "code", seq: 1, delta: "```one\ntwo\n", done: false },
  ]);
  const [, soFar] = streams.current();
  assert.match(soFar ?? "", /"id":"str_1_r1-c1_so_far".*```one\\ntwo\\n/);
  streams.onLiveEvent(run, { type: "output", callId: "c1", text: "three\n" });
  const data = { runId: "r1", messageId: "m", callId: "c1", name: "run", text: "", isError: false };
  const stream = "conversation/agent:a:main";
  const returned = [{ seq: 1, at: 1, stream, type: "run.tool.returned", data }];
  streams.flushBefore(returned);
  assert.deepEqual(payloads(), [{ ...call, kind: "code", seq: 2, delta: "three\n", done: false }]);
  streams.onBatch(returned);
  assert.deepEqual(payloads(), [{ ...call, kind: "code", seq: 3, delta: "", done: true }]);
  assert.equal(streams.current().length, 1);
  streams.close();
});

test("[WORLD-40] what a check puts out is a stream of the task's agent, which ends with the check", () => {
  const hand = createTestTime(0);
  const sent: string[] = [];
  const live = new LiveChecks();
  const found = {
    project: { projectId: "proj_a" },
    task: { taskId: "task_a_1", assignee: "agent_a" },
  };
  const streams = createAgentStreams({
    crew: [],
    projects: {
      ofRun: () => undefined,
      ofTask: (id) => (id === "task_a_1" ? (found as never) : undefined),
    },
    timers: hand.timers,
    now: () => 1,
    publish: (text) => sent.push(text),
  });
  live.onOutput(streams.onCheckOutput);
  const payloads = () =>
    sent.splice(0).map((text) => {
      const { payload, ...message } = JSON.parse(text);
      assertWorldMessage({ ...message, payload });
      return payload;
    });
  live.begin("chk_1", "task_a_1");
  live.begin("chk_2", "build_1");
  live.add("chk_1", "one\n");
  live.add("chk_2", "of a build\n");
  live.add("chk_3", "never begun\n");
  hand.advance(100);
  const about = { stream_id: "check:chk_1", agent_id: "agent_a", call_id: "chk_1" };
  const work = { project_id: "proj_a", task_id: "task_a_1", kind: "code" };
  assert.deepEqual(payloads(), [{ ...about, ...work, seq: 1, delta: "one\n", done: false }]);
  assert.match(streams.current().join(""), /one\\n/);
  assert.equal(live.outputOf("chk_1"), "one\n");
  live.add("chk_1", "x".repeat(100_000));
  assert.equal(live.outputOf("chk_1")?.length, 65_536);
  live.end("chk_1");
  assert.deepEqual(
    payloads().map(({ done }) => done),
    [false, true],
  );
  assert.equal(live.outputOf("chk_1"), undefined);
  assert.equal(streams.current().length, 0);
});

test("[WORLD-27] of endless output a newcomer is told the end", () => {
  const { hand, stream } = createStage();
  for (let n = 0; n < 100; n++) {
    stream.onOutput(`${"x".repeat(1_000)}${n}\n`);
    hand.advance(100);
  }
  const { delta = "" } = stream.current() ?? {};
  assert.equal(delta.length, 20_000);
  assert.ok(delta.endsWith("x99\n"));
});
