/** How a long turn is kept within the model's context, against a real HTTP server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Behavior } from "../../../../../test/kit/model-server/behavior.ts";
import { openModelServer, type Body } from "../../../../../test/kit/model-server/model-server.ts";
import { createTestHost, type TestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import type { ModelSettings } from "./model-settings.ts";
import { createModelRuntime } from "./model.ts";

type Provider = ModelSettings["provider"];

const TOOLS = ["read", "run"].map((name) => ({
  name,
  description: `Tool ${name}.`,
  input: { type: "object", properties: { path: { type: "string" } } },
}));
const CONTEXT_TOKENS = 1_000;
const DONE: Behavior = { type: "answer", chunks: ["Done."], usage: usageOf(10) };
const HISTORY = [{ role: "user" as const, text: "Something from long ago." }];

function usageOf(inputTokens: number): NonNullable<Answer["usage"]> {
  return { inputTokens, outputTokens: 1 };
}

/** A step that reads a file of its own, and how many tokens it says it took. */
function reads(n: number, inputTokens = 100, name = "read"): Behavior {
  const toolCalls = [{ name, input: { path: `src/file-${n}.ts` } }];
  return { type: "answer", toolCalls, usage: usageOf(inputTokens) };
}

function contentOf(path: string): string {
  return `first line of ${path}\n${"body ".repeat(200)}`;
}

interface Played {
  readonly events: readonly TurnEvent[];
  readonly bodies: readonly Body[];
}

async function play(
  provider: Provider,
  behaviors: readonly Behavior[],
  prepare: (host: TestHost) => void = () => undefined,
): Promise<Played> {
  await using server = await openModelServer();
  server.queue.push(...behaviors);
  const host = createTestHost({
    speed: 100,
    tools: TOOLS,
    callTool: (_name, input) => {
      const [, path = ""] = /"path":"([^"]+)"/.exec(JSON.stringify(input)) ?? [];
      return Promise.resolve({ text: contentOf(path), isError: false });
    },
  });
  prepare(host);
  const runtime = createModelRuntime("local", {
    provider,
    baseUrl: server.baseUrl,
    model: "test-model",
    apiKey: undefined,
    contextTokens: CONTEXT_TOKENS,
    maxRetries: 0,
    // At this speed the host's seconds are short; a server on a busy machine is slower.
    firstByteTimeoutMs: 1_000_000_000,
    idleTimeoutMs: 1_000_000_000,
  });
  const events = await eventsOf(runtime, turnOf("Mend the harbor.", { history: HISTORY }), host);
  return { events, bodies: server.requests.map(({ body }) => body) };
}

/** What the model is shown of results, in order, with the id of the call each belongs to. */
function resultsIn({ messages }: Body): { readonly id: string; readonly text: string }[] {
  return messages.flatMap(({ role, content, tool_call_id }: Body) => {
    if (role === "tool") return [{ id: tool_call_id, text: content }];
    const parts: Body[] = Array.isArray(content) ? content : [];
    return parts
      .filter(({ type }) => type === "tool_result")
      .map((part) => ({
        id: part.tool_use_id,
        text: Array.isArray(part.content) ? part.content[0].text : part.content,
      }));
  });
}

function callsIn({ messages }: Body): string[] {
  return messages.flatMap(({ tool_calls, content }: Body) => {
    const parts: Body[] = tool_calls ?? (Array.isArray(content) ? content : []);
    return parts
      .filter(({ type }) => type === "function" || type === "tool_use")
      .map(({ id }) => id);
  });
}

function compactedIn(events: readonly TurnEvent[]): TurnEvent[] {
  return events.filter(({ type }) => type === "compacted");
}

const steps = (from: number, to: number): Behavior[] =>
  Array.from({ length: to - from + 1 }, (_, n) => reads(from + n));

for (const provider of ["openai-compatible", "anthropic"] as const) {
  test(`[MODEL-8] ${provider}: over 60 % of the context, all but the last 6 results become a line that says how to get them`, async () => {
    const run = reads(2, 100, "run");
    const enough = [reads(1), run, ...steps(3, 7), reads(8, 601), DONE];
    const { events, bodies } = await play(provider, enough);
    const shown = resultsIn(bodies.at(-1));
    assert.equal(shown.length, 8);
    assert.deepEqual(
      shown.map(({ id }) => id),
      callsIn(bodies.at(-1)),
    );
    const [first, second, ...whole] = shown.map(({ text }) => text);
    assert.match(first ?? "", /^\[read .*src\/file-1\.ts.*1\d\d\d characters.*Call read again/);
    // What may do something is not to be repeated only to be read.
    assert.match(second ?? "", /^\[run .*began: first line of src\/file-2\.ts .*was done/);
    assert.doesNotMatch(`${first}${second}`, /\n|body/);
    assert.deepEqual(
      whole,
      [3, 4, 5, 6, 7, 8].map((n) => contentOf(`src/file-${n}.ts`)),
    );
    assert.deepEqual(compactedIn(events), [
      { type: "compacted", how: "results", inputTokens: 601, results: 2, text: "" },
    ]);
    assert.ok(JSON.stringify(bodies.at(-1)).includes("long ago"));

    const less = await play(provider, [...steps(1, 7), reads(8, 600), DONE]);
    assert.deepEqual(compactedIn(less.events), []);
    assert.equal(resultsIn(less.bodies.at(-1))[0]?.text, contentOf("src/file-1.ts"));
  });

  test(`[MODEL-9] ${provider}: over 80 %, the model hands over and goes on from that and its last 4 steps`, async () => {
    const handOver: Behavior = {
      type: "answer",
      reasoning: ["Hm."],
      chunks: ["Goal: mend it.\n", "Next: paint."],
      usage: usageOf(870),
    };
    const { events, bodies } = await play(
      provider,
      [...steps(1, 6), reads(7, 801), handOver, reads(8, 300), DONE],
      (host) => host.steering.push("Use blue paint."),
    );
    assert.equal(bodies.length, 10);
    const asked = JSON.stringify(bodies[7]?.messages.at(-1));
    for (const heading of ["Goal", "Done", "Files", "Found out", "Next"]) {
      assert.ok(asked.includes(heading), heading);
    }
    const after = bodies[8];
    const said = JSON.stringify(after);
    // Once each: what was asked, what people added, and the hand-over; what came before is gone.
    for (const part of ["Mend the harbor.", "Use blue paint.", "Next: paint."]) {
      assert.equal(said.split(part).length, 2, part);
    }
    assert.ok(!said.includes("long ago"));
    assert.deepEqual(
      resultsIn(after).map(({ text }) => text),
      [4, 5, 6, 7].map((n) => contentOf(`src/file-${n}.ts`)),
    );
    assert.deepEqual(
      resultsIn(after).map(({ id }) => id),
      callsIn(after),
    );
    // The next step goes on from there.
    assert.equal(resultsIn(bodies[9]).length, 5);
    assert.ok(JSON.stringify(bodies[9]).includes("Next: paint."));
    assert.deepEqual(compactedIn(events), [
      {
        type: "compacted",
        how: "hand-over",
        inputTokens: 801,
        results: 1,
        text: "Goal: mend it.\nNext: paint.",
      },
    ]);
    assert.equal(textIn(events), "Done.");
    const thought = events.map((event) => (event.type === "thinking" ? event.delta : ""));
    assert.equal(thought.join(""), "Hm.Goal: mend it.\nNext: paint.");
    const whole = events.findLast((event) => event.type === "usage")?.usage;
    assert.deepEqual(whole, { inputTokens: 6 * 100 + 801 + 870 + 300 + 10, outputTokens: 10 });
  });

  test(`[MODEL-9] ${provider}: without a hand-over the turn goes on, and it is not asked for after every step`, async () => {
    const sick: Behavior = { type: "status", status: 422, message: "not now" };
    const { events, bodies } = await play(provider, [
      ...steps(1, 6),
      reads(7, 900),
      sick,
      reads(8, 900),
      reads(9, 900),
      DONE,
    ]);
    assert.equal(bodies.length, 11);
    assert.equal(resultsIn(bodies.at(-1)).length, 9);
    const told = events.find((event) => event.type === "progress")?.text ?? "";
    assert.match(told, /without a hand-over.*not now/);
    assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
  });
}
