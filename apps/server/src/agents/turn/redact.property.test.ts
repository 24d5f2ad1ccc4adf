import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { newSessionSecret } from "../../access/session-secret.ts";
import { openHooksServer } from "../claude-code/transports/hooks-server.ts";
import { createRuntimes } from "../runtimes.ts";
import { createTestHost } from "../testing/test-host.ts";
import { turnOf } from "../testing/turns.ts";
import type { AgentRuntime, Turn, TurnEvent } from "./agent-runtime.ts";
import { withoutSecrets } from "./redact.ts";
import { redactingRuntime } from "./redacting-runtime.ts";

const SECRET = "tk-0123456789abcdef-0123456789abcdef";
const between: readonly TurnEvent[] = [
  { type: "tool.called", id: "1", name: "look", input: { q: SECRET, deep: [`x${SECRET}`] } },
  { type: "tool.returned", id: "1", text: `found ${SECRET}!`, isError: false },
  { type: "artifact", name: "a", mediaType: "text/plain", text: SECRET },
  { type: "retrying", attempt: 1, reason: SECRET },
  { type: "thinking", delta: "hm" },
];

async function* played(events: readonly TurnEvent[]): AsyncGenerator<TurnEvent> {
  yield* events;
}

test("[AGENT-11] however words are cut, and whatever comes in between, no secret gets out", async () => {
  const pieces = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 12 }).map((length) => ({ length })),
      fc.constantFrom(...between).map((event) => ({ event })),
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(pieces, fc.string({ maxLength: 8 }), async (cuts, other) => {
      const whole = `${other}tk-${SECRET} and ${SECRET}${other}`;
      const events: TurnEvent[] = [];
      let at = 0;
      for (const cut of cuts) {
        if ("event" in cut) events.push(cut.event);
        else {
          events.push({ type: "text", delta: whole.slice(at, at + cut.length) });
          at += cut.length;
        }
      }
      events.push({ type: "text", delta: whole.slice(at) });
      events.push({ type: "failed", kind: "unknown", reason: `bad ${SECRET}` });
      const told = await Array.fromAsync(withoutSecrets([SECRET], played(events)));
      const text = told.map((event) => (event.type === "text" ? event.delta : "")).join("");
      const rest = JSON.stringify(told.filter(({ type }) => type !== "text"));
      assert.ok(!text.includes(SECRET.slice(3)) && !rest.includes(SECRET), text);
      assert.equal(told.at(-1)?.type, "failed");
      assert.equal(told.length > 1, true);
    }),
    { numRuns: 500 },
  );
});

test("[AGENT-11] however the output of a tool is cut, no secret is in it", async () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.string({ maxLength: 8 }), async (lengths, other) => {
      const whole = `${other}tk-${SECRET} and ${SECRET}${other}`;
      const events: TurnEvent[] = [];
      let at = 0;
      for (const length of [...lengths, whole.length]) {
        const text = whole.slice(at, at + length);
        at += length;
        events.push({ type: "tool.output", id: "1", text }, { type: "tool.output", id: "2", text });
      }
      events.push({ type: "tool.returned", id: "1", text: "", isError: false });
      const told = await Array.fromAsync(withoutSecrets([SECRET], played(events)));
      const output = told.map((event) =>
        event.type === "tool.output" && event.id === "1" ? event.text : "",
      );
      const text = output.join("");
      assert.ok(!text.includes(SECRET.slice(3)), text);
      assert.ok(text.startsWith(other) && text.endsWith(other), text);
      assert.equal(told.at(-1)?.type, "tool.returned");
    }),
    { numRuns: 300 },
  );
});

test("[AGENT-11] what is no secret is said as it was, in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 6 }), { maxLength: 20 }), async (deltas) => {
      const words = deltas.map((delta) => ({ type: "text", delta }) as const);
      const told = await Array.fromAsync(withoutSecrets([SECRET], played(words)));
      const text = told.map((event) => (event.type === "text" ? event.delta : "")).join("");
      assert.equal(text, deltas.join(""));
    }),
  );
});

test("[AGENT-12] every runtime is discreet: what it calls, asks, is told and answers has no secret", async () => {
  const heard: unknown[] = [];
  const host = createTestHost({
    callTool: (_name, input) => {
      heard.push(input);
      return Promise.resolve({ text: `the token is ${SECRET}`, isError: false });
    },
    ask: (question) => {
      heard.push(question);
      return Promise.resolve(null);
    },
    requestPermission: (request) => {
      heard.push(request);
      return Promise.resolve("denied");
    },
  });
  const runtime: AgentRuntime = {
    name: "loose",
    type: "test",
    model: { provider: "test", id: "t", contextTokens: 1 },
    async *start(_turn, given) {
      const { text } = await given.callTool("look", { q: SECRET });
      await given.ask({ text: SECRET, options: [SECRET] });
      await given.requestPermission({ tool: "Bash", input: { command: `echo ${SECRET}` } });
      yield { type: "text", delta: text };
      yield { type: "completed", stopReason: "stop" };
    },
  };
  const turn = {} as Turn;
  const told = await Array.fromAsync(redactingRuntime(runtime, () => [SECRET]).start(turn, host));
  assert.deepEqual(told[0], { type: "text", delta: "the token is [key]" });
  assert.ok(!JSON.stringify([heard, told]).includes(SECRET));
});

test("[AGENT-13] the secrets of browsers, which the server does not keep, are known by their shape, however they are cut", async () => {
  const cuts = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 });
  const around = fc.constantFrom("", "a", "atr", "atr_", "x atr_atr_", "id.", "-", "é");
  await fc.assert(
    fc.asyncProperty(cuts, around, around, async (lengths, before, after) => {
      const secret = newSessionSecret();
      const whole = `${before}${secret}${after} and ${secret}`;
      const events: TurnEvent[] = [];
      let at = 0;
      for (const length of lengths) {
        events.push({ type: "text", delta: whole.slice(at, at + length) });
        if (length % 3 === 0) events.push({ type: "thinking", delta: "atr" });
        if (length % 5 === 0) {
          events.push({ type: "tool.called", id: "1", name: "look", input: { q: [secret] } });
        }
        at += length;
      }
      events.push({ type: "text", delta: whole.slice(at) });
      events.push({ type: "completed", stopReason: "stop" });
      const told = await Array.fromAsync(withoutSecrets([], played(events)));
      const text = told.map((event) => (event.type === "text" ? event.delta : "")).join("");
      const rest = JSON.stringify(told.filter(({ type }) => type !== "text"));
      // A name that begins like one before it takes the mask; what is left of the secret is its last few characters.
      assert.ok(!text.includes(secret.slice(4, -8)) && !rest.includes(secret), text);
    }),
    { numRuns: 500 },
  );
});

test("[AGENT-14] what is good for something where hooks arrive is masked in every runtime, for as long as it is", async () => {
  const hookSecrets = new Set<string>();
  const settings = { one: { type: "rehearsal", pace: 0 } } as const;
  const runtimes = await createRuntimes(settings, () => undefined, { hookSecrets });
  const runtime = runtimes.get("one");
  assert.ok(runtime);
  const server = await openHooksServer(() => SECRET, undefined, hookSecrets);
  const said = async (): Promise<string> => {
    const turn = turnOf(`[[say: it is ${SECRET}.]]`);
    const told = await Array.fromAsync(runtime.start(turn, createTestHost()));
    return told.map((event) => (event.type === "text" ? event.delta : "")).join("");
  };
  const { remove } = server.register(() => undefined);
  assert.equal(await said(), "it is [key].");
  remove();
  assert.equal(await said(), `it is ${SECRET}.`);
  server.register(() => undefined);
  await server.close();
  assert.equal(hookSecrets.size, 0);
});

test("[AGENT-11] a word that ends as a secret begins is not cut off while something is waited for", async () => {
  const words = withoutSecrets(["d1e2f3a4b5c6d7e8"], waitingAfter("what was said"));
  assert.deepEqual((await words.next()).value, { type: "text", delta: "what was said" });
});

async function* waitingAfter(delta: string): AsyncGenerator<TurnEvent> {
  yield { type: "text", delta };
  await new Promise(() => undefined);
}
