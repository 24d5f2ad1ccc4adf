import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Behavior } from "../../../../../test/kit/model-server/behavior.ts";
import { openModelServer } from "../../../../../test/kit/model-server/model-server.ts";
import { type TestHost } from "../testing/test-host.ts";
import { textIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import { createModelRuntime } from "./model.ts";
import {
  KEY,
  LOOKUP,
  modelStage,
  PROVIDERS,
  USAGE,
  type PlayedTurn,
} from "./testing/model-stage.ts";

for (const provider of PROVIDERS) {
  const { settingsFor, play } = modelStage(provider);

  describeAgentRuntime(`model, ${provider}`, async (situation) => {
    const server = await openModelServer(({ body }) => {
      const [, wished] = /"Say: (\w+)"/.exec(JSON.stringify(body.messages)) ?? [];
      const answer = wished === undefined ? undefined : Buffer.from(wished, "hex").toString();
      return behaviorFor(
        answer === undefined ? situation : { type: "answers", answer },
        body.messages,
      );
    });
    return {
      runtime: createModelRuntime("local", settingsFor(server.baseUrl)),
      prompt: "What about the tides?",
      letGo: () => server.idle(),
      promptFor: (answer) => `Say: ${Buffer.from(answer).toString("hex")}`,
      speed: 1,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  });
  describe(`model runtime, ${provider}`, () => {
    test("[MODEL-12] calls whose tools allow it are made at the same time, and answered in their order", async () => {
      const both = [
        { name: "near", input: {} },
        { name: "far", input: {} },
      ];
      const tools = ["near", "far"].map((name) => ({ ...LOOKUP, name, isParallel: true as const }));
      const called: string[] = [];
      const all = Promise.withResolvers<void>();
      const { events } = await play(
        [
          { type: "answer", toolCalls: both },
          { type: "answer", chunks: ["Done."] },
        ],
        {
          tools,
          // Neither returns before both are called.
          async callTool(name) {
            if (called.push(name) === both.length) all.resolve();
            await all.promise;
            return { text: `${name} is high`, isError: false };
          },
        },
      );
      const told = events.flatMap((event) =>
        event.type === "tool.called"
          ? [`${event.name}?`]
          : event.type === "tool.returned"
            ? [event.text]
            : [],
      );
      assert.deepEqual(told, ["near?", "far?", "near is high", "far is high"]);
    });

    test("[MODEL-12] a tool that must be called is demanded until it is", async () => {
      const { requests } = await play(
        [
          { type: "answer", toolCalls: [{ name: "tide_lookup", input: { q: "x" } }] },
          { type: "answer", chunks: ["Done."] },
        ],
        { tools: [LOOKUP], turn: { mustCall: [LOOKUP.name] } },
      );
      const [first, second] = requests.map(({ body }) => JSON.stringify(body.tool_choice ?? null));
      assert.match(first ?? "", /tide_lookup/);
      assert.doesNotMatch(second ?? "", /tide_lookup/);
    });

    test("[MODEL-1] reasoning and text are streamed as they come", async () => {
      const { events } = await play([
        {
          type: "answer",
          reasoning: ["Let me ", "think."],
          chunks: ["At ", "noon."],
          usage: USAGE,
        },
      ]);
      assert.deepEqual(events, [
        { type: "thinking", delta: "Let me " },
        { type: "thinking", delta: "think." },
        { type: "text", delta: "At " },
        { type: "text", delta: "noon." },
        { type: "usage", usage: USAGE },
        { type: "completed", stopReason: "stop" },
      ]);
    });

    test("[MODEL-1] the model is given instructions, history, prompt and attachments, and the key in a header", async () => {
      const data = Buffer.from("low at six").toString("base64");
      const { requests } = await play([{ type: "answer", chunks: ["ok"] }], {
        turn: {
          history: [
            { role: "user", text: "Hi." },
            { role: "assistant", text: "Hello." },
            { role: "system", text: "It is Monday." },
            { role: "user", text: "" },
          ],
          prompt: "When?",
          attachments: [
            { name: "tides.txt", mediaType: "text/plain", data },
            { name: "sea.png", mediaType: "image/png", data: "iVBORw0KGgo=" },
          ],
        },
      });
      const [{ body, headers }] = requests as [PlayedTurn["requests"][number]];
      const sent = JSON.stringify(body);
      for (const part of ["You are Eng 1.", "Hello.", "It is Monday.", "When?", "low at six"]) {
        assert.ok(sent.includes(part), part);
      }
      assert.ok(sent.includes("iVBORw0KGgo="));
      assert.equal(body.model, "test-model");
      assert.ok([headers["x-api-key"], headers["authorization"]].join(" ").includes(KEY));
      assert.ok(!sent.includes(KEY));
    });

    test("[AGENT-7] images are read, a PDF where the provider takes one, and the rest is named", async () => {
      const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];
      const attachments = [...types, "audio/mpeg"].map((mediaType, at) => ({
        name: `file-${at}`,
        mediaType,
        data: Buffer.from(`content ${at}`).toString("base64"),
      }));
      const { requests, events } = await play([{ type: "answer", chunks: ["ok"] }], {
        turn: { attachments },
      });
      const sent = JSON.stringify(requests[0]?.body);
      const read = attachments.filter(({ data }) => sent.includes(data));
      const readable = provider === "anthropic" ? types : types.slice(0, -1);
      assert.deepEqual(
        read.map(({ mediaType }) => mediaType),
        readable,
      );
      for (const { name } of attachments.slice(readable.length)) {
        assert.ok(textIn(events).includes(name), textIn(events));
      }
    });

    test("[MODEL-1] a wished model and effort are asked for", async () => {
      for (const model of ["maker/other-model", `${provider}/maker/other-model`]) {
        const { requests } = await play([{ type: "answer", chunks: ["ok"] }], {
          turn: { wishes: { model, thinking: "high" } },
        });
        assert.equal(requests[0]?.body.model, "maker/other-model");
        assert.match(JSON.stringify(requests[0]?.body), /"high"|budget_tokens|adaptive/);
      }
    });

    test("[MODEL-2] tools are called through the host under their own names, and the model hears the result", async () => {
      const seen = "tide_lookup";
      const { events, host, requests } = await play(
        [
          {
            type: "answer",
            reasoning: ["Hm."],
            chunks: ["One moment."],
            toolCalls: [
              { name: seen, input: { q: "today" } },
              { name: seen, input: { q: "tomorrow" } },
            ],
            usage: USAGE,
          },
          { type: "answer", chunks: ["Noon, both."], usage: USAGE },
        ],
        {
          tools: [LOOKUP],
          callTool: (_name, input) =>
            JSON.stringify(input).includes("today")
              ? Promise.resolve({ text: "high at noon", isError: false })
              : Promise.resolve({ text: "nobody knows", isError: true }),
        },
      );
      assert.deepEqual(host.calls, [
        { name: "tide.lookup", input: { q: "today" } },
        { name: "tide.lookup", input: { q: "tomorrow" } },
      ]);
      assert.equal(textIn(events), "One moment.\n\nNoon, both.");
      const names = events.flatMap((event) => (event.type === "tool.called" ? [event.name] : []));
      assert.deepEqual(names, ["tide.lookup", "tide.lookup"]);
      const told = JSON.stringify(requests[1]?.body.messages);
      for (const part of ["high at noon", "nobody knows", "One moment."]) {
        assert.ok(told.includes(part), part);
      }
      // Anthropic wants its reasoning back as it signed it.
      assert.equal(told.includes("c2lnbmVk"), provider === "anthropic");
      assert.deepEqual(
        events.filter(({ type }) => type === "usage"),
        [
          { type: "usage", usage: USAGE },
          { type: "usage", usage: { inputTokens: 22, outputTokens: 14 } },
        ],
      );
    });

    test("[MODEL-2] a call of a tool that is not there or with an unreadable input is an error the model hears", async () => {
      const { events, host, requests } = await play(
        [
          { type: "answer", toolCalls: [{ name: "dance", input: { q: "x" } }], usage: USAGE },
          { type: "answer", toolCalls: [{ name: "tide_lookup", input: "{oops" }], usage: USAGE },
          { type: "answer", chunks: ["Sorry."], usage: USAGE },
        ],
        { tools: [LOOKUP] },
      );
      assert.deepEqual(host.calls, []);
      const returned = events.filter((event) => event.type === "tool.returned");
      assert.deepEqual(
        returned.map(({ isError }) => isError),
        [true, true],
      );
      assert.notEqual(returned[0]?.id, returned[1]?.id);
      assert.match(returned[0]?.text ?? "", /dance/);
      assert.ok(JSON.stringify(requests[1]?.body.messages).includes("dance"));
      assert.equal(textIn(events), "Sorry.");
      assert.equal(events.at(-1)?.type, "completed");
    });

    test("[MODEL-3] the loop ends after the most steps allowed", async () => {
      const again: Behavior = {
        type: "answer",
        toolCalls: [{ name: "tide_lookup", input: { q: "x" } }],
        usage: USAGE,
      };
      const { events, host, requests } = await play([again, again, again], {
        tools: [LOOKUP],
        settings: { maxSteps: 3 },
      });
      assert.equal(requests.length, 3);
      assert.equal(host.calls.length, 2);
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "max_steps" });
    });

    test("[MODEL-3] long work has the steps it needs unless the settings say less", async () => {
      const steps = Array.from({ length: 40 }, (_, q): Behavior => {
        return { type: "answer", toolCalls: [{ name: "tide_lookup", input: { q: `${q}` } }] };
      });
      const done: Behavior = { type: "answer", chunks: ["Done."] };
      const { events, requests } = await play([...steps, done], { tools: [LOOKUP] });
      assert.equal(requests.length, 41);
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    });

    test("[MODEL-6] what people add is told to the model in the next step, and left alone if there is none", async () => {
      const wants: Behavior = {
        type: "answer",
        toolCalls: [{ name: "tide_lookup", input: { q: "x" } }],
        usage: USAGE,
      };
      const done: Behavior = { type: "answer", chunks: ["Done."], usage: USAGE };
      const prepare = (host: TestHost): void => void host.steering.push("in meters, please");
      const stepped = await play([wants, done], { tools: [LOOKUP], prepare });
      assert.deepEqual(stepped.host.taken, ["in meters, please"]);
      assert.ok(JSON.stringify(stepped.requests[1]?.body.messages).includes("in meters, please"));
      const single = await play([done], { prepare });
      assert.deepEqual(single.host.steering, ["in meters, please"]);
    });

    test("[MODEL-3] an answer cut at its longest completes as length", async () => {
      const { events, requests } = await play(
        [{ type: "answer", chunks: ["At"], finish: "length", usage: USAGE }],
        { settings: { maxOutputTokens: 64 } },
      );
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "length" });
      assert.equal(requests[0]?.body.max_tokens, 64);
    });

    test("[MODEL-7] a server that does not count is estimated", async () => {
      const { events } = await play([{ type: "answer", chunks: ["x".repeat(400)] }]);
      const usage = events.find((event) => event.type === "usage")?.usage;
      assert.equal(usage?.outputTokens, 100);
      assert.ok(usage.inputTokens > 0);
    });
  });
}

function behaviorFor(situation: Situation, messages: readonly { role: string }[]): Behavior {
  switch (situation.type) {
    case "answers":
      return { type: "answer", chunks: piecesOf(situation.answer), usage: USAGE };
    case "uses a tool":
      return hasToolResult(messages)
        ? { type: "answer", chunks: piecesOf(situation.answer), usage: USAGE }
        : { type: "answer", toolCalls: [{ name: "lookup", input: { q: "tides" } }], usage: USAGE };
    case "talks on":
      return { type: "forever", chunk: "and on ", everyMs: 2 };
    case "is silent":
      return { type: "silence" };
  }
}

function hasToolResult(messages: readonly { role: string }[]): boolean {
  return messages.some((message) => /"role":"tool"|tool_result/.test(JSON.stringify(message)));
}

function piecesOf(text: string): string[] {
  return text.match(/.{1,5}/gs) ?? [];
}
