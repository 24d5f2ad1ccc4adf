import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnHost } from "../agents/turn/agent-runtime.ts";
import { readPause, type ClientCall } from "./client-calls/kept-calls.ts";
import type { IncomingMessage } from "./message-intake.ts";
import { openStage, type Play, type Stage } from "./testing/stage.ts";

const tool = (name: string) => ({ name, description: "", input: { type: "object" } });
const TOOLS = {
  clientTools: { tools: [tool("near"), tool("far")], mustCall: [], isSerial: false },
};

/** The calls of the run's last request, once it has made that many. */
async function requested(stage: Stage, count: number): Promise<readonly ClientCall[]> {
  for await (const _batch of stage.log.tail(0)) {
    const events = (await stage.events()).filter((event) => event.type === "run.calls.requested");
    const last = events.at(-1);
    if (events.length < count || last === undefined) continue;
    return (await readPause(stage.blobs, last.digest)).calls;
  }
  return [];
}

function results(...calls: readonly ClientCall[]): Pick<IncomingMessage, "answers"> {
  return {
    answers: {
      answers: calls.map(({ id: callId, name }) => ({ callId, text: `${name} is high` })),
      mayCall: ["near", "far"],
    },
  };
}

/** A turn that makes its calls as told, and says what they returned. */
function calling(make: (host: TurnHost, called: () => void) => Promise<readonly string[]>): {
  readonly play: Play;
  readonly called: Promise<void>;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    called: promise,
    async *play(_turn, host) {
      yield { type: "text", delta: "Well." };
      const said = await make(host, resolve);
      yield { type: "text", delta: ` ${said.join(", ")}` };
      yield { type: "completed", stopReason: "stop" };
    },
  };
}

test("[RUN-20] calls that are made together are asked for together, and none of it is the turn's time", async () => {
  const { play, called } = calling(async (host, onCalled) => {
    const both = Promise.all([host.callTool("near", { q: 1 }), host.callTool("far", {})]);
    onCalled();
    return (await both).map(({ text }) => text);
  });
  await using stage = await openStage(play);
  await stage.send("r1", "go", TOOLS);
  await called;
  stage.time.advance(0);
  const calls = await requested(stage, 1);
  assert.deepEqual(
    calls.map(({ name, arguments: input }) => [name, input]),
    [
      ["near", '{"q":1}'],
      ["far", "{}"],
    ],
  );
  assert.equal(stage.reports.awaiting(calls[1]!.id)?.runId, "r1");
  // Longer than the turn may work.
  stage.time.advance(100_000);
  const receipt = await stage.send("r2", "results", results(...calls));
  assert.deepEqual(receipt, { ok: true, value: { runId: "r1", part: 1, isRepeated: false } });
  const ended = await stage.ended("r1");
  assert.deepEqual([ended.type, ended.text], ["run.completed", "Well. near is high, far is high"]);
  assert.equal(stage.reports.awaiting(calls[1]!.id), undefined);
  assert.deepEqual(stage.faults, []);
});

test("[RUN-20] what is called while the client works is asked for next", async () => {
  const { play, called } = calling(async (host, onCalled) => {
    const first = host.callTool("near", {});
    onCalled();
    await stageAsked.promise;
    const second = host.callTool("far", {});
    return [(await first).text, (await second).text];
  });
  const stageAsked = Promise.withResolvers<void>();
  await using stage = await openStage(play);
  await stage.send("r1", "go", TOOLS);
  await called;
  stage.time.advance(0);
  const first = await requested(stage, 1);
  stageAsked.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  stage.time.advance(0);
  assert.deepEqual(
    first.map(({ name }) => name),
    ["near"],
  );
  await stage.send("r2", "results", results(...first));
  const second = await requested(stage, 2);
  assert.deepEqual(
    second.map(({ name }) => name),
    ["far"],
  );
  await stage.send("r3", "results", results(...second));
  assert.equal((await stage.ended("r1")).text, "Well. near is high, far is high");
  const lengths = (await stage.events()).flatMap((event) =>
    event.type === "run.calls.requested" ? [event.textLength] : [],
  );
  assert.deepEqual(lengths, ["Well.".length, "Well.".length]);
});

test("[RUN-20] a client that takes too long ends the run", async () => {
  const { play, called } = calling(async (host, onCalled) => {
    const call = host.callTool("near", {});
    onCalled();
    return [(await call).text];
  });
  await using stage = await openStage(play);
  await stage.send("r1", "go", TOOLS);
  await called;
  stage.time.advance(0);
  await requested(stage, 1);
  stage.time.advance(120_000);
  const ended = await stage.ended("r1");
  assert.ok(ended.type === "run.failed");
  assert.match(ended.reason, /asked to call near and did not answer within 120 s/);
});
