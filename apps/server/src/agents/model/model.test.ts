import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Behavior } from "../../../../../test/kit/model-server/behavior.ts";
import {
  openModelServer,
  type ModelRequest,
} from "../../../../../test/kit/model-server/model-server.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import { describeAgentRuntime, type Situation } from "../turn/agent-runtime.contract.ts";
import type { Turn, TurnEvent } from "../turn/agent-runtime.ts";
import type { ModelSettings } from "./model-settings.ts";
import { createModelRuntime } from "./model.ts";

const KEY = "sk-secret-key-123";
const USAGE = { inputTokens: 11, outputTokens: 7 };
const LOOKUP = {
  name: "tide.lookup",
  description: "Looks up a tide.",
  input: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
};

for (const provider of ["openai-compatible", "anthropic"] as const) {
  const settingsFor = (baseUrl: string, more: Partial<ModelSettings> = {}): ModelSettings => ({
    provider,
    baseUrl,
    model: "test-model",
    apiKey: KEY,
    ...more,
  });

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

  interface Played {
    readonly events: TurnEvent[];
    readonly host: TestHost;
    readonly requests: readonly ModelRequest[];
  }

  interface Scene extends TestHostOptions {
    readonly settings?: Partial<ModelSettings>;
    readonly turn?: Partial<Turn>;
    readonly prepare?: (host: TestHost) => void;
  }

  /** Plays a turn against a server that behaves so, request by request. */
  const play = async (behaviors: readonly Behavior[], scene: Scene = {}): Promise<Played> => {
    await using server = await openModelServer();
    server.queue.push(...behaviors);
    const host = createTestHost({ speed: 100, ...scene });
    scene.prepare?.(host);
    // A generous limit: at this speed, the host's seconds are short.
    const patient = { firstByteTimeoutMs: 1_000_000, idleTimeoutMs: 1_000_000 };
    const settings = settingsFor(server.baseUrl, { ...patient, ...scene.settings });
    const runtime = createModelRuntime("local", settings);
    const events = await eventsOf(runtime, turnOf("Hello?", scene.turn), host);
    if (!events.some(({ type }) => type === "failed")) await server.idle();
    return { events, host, requests: server.requests };
  };

  const failureIn = (events: readonly TurnEvent[]): { kind: string; reason: string } => {
    const last = events.at(-1);
    assert.ok(last?.type === "failed", JSON.stringify(last));
    assert.ok(!last.reason.includes(KEY), last.reason);
    return last;
  };

  describe(`model runtime, ${provider}`, () => {
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
      const [{ body, headers }] = requests as [Played["requests"][number]];
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

    test("[MODEL-4] too many requests are waited out as long as the server says, then tried again", async () => {
      const { events, host, requests } = await play([
        { type: "status", status: 429, message: "slow down", headers: { "retry-after": "7" } },
        { type: "answer", chunks: ["Here."], usage: USAGE },
      ]);
      assert.equal(requests.length, 2);
      assert.ok(host.sleeps.includes(7_000));
      assert.deepEqual(typesIn(events), ["retrying", "text", "usage", "completed"]);
      const [retrying] = events;
      assert.ok(retrying?.type === "retrying");
      assert.equal(retrying.attempt, 1);
      assert.match(retrying.reason, /asked too often.*7 seconds.*slow down/);
    });

    test("[MODEL-4] trouble of the server is tried again with growing waits, then given up", async () => {
      const sick: Behavior = { type: "status", status: 500, message: `broken for ${KEY}` };
      const { events, host, requests } = await play([sick, sick, sick], {});
      assert.equal(requests.length, 3);
      assert.deepEqual(typesIn(events), ["retrying", "retrying", "usage", "failed"]);
      assert.ok(host.sleeps.includes(1_000) && host.sleeps.includes(2_000));
      const { kind, reason } = failureIn(events);
      assert.equal(kind, "unavailable");
      assert.match(reason, /trouble answering \(500\).*broken for \[key\]/);
    });

    test("[MODEL-4] a server that cannot be reached is tried again, then named", async () => {
      const server = await openModelServer();
      const { baseUrl } = server;
      await server[Symbol.asyncDispose]();
      const host = createTestHost({ speed: 100 });
      const runtime = createModelRuntime("local", settingsFor(baseUrl, { maxRetries: 1 }));
      const events = await eventsOf(runtime, turnOf("Hello?"), host);
      assert.deepEqual(typesIn(events), ["retrying", "usage", "failed"]);
      const { kind, reason } = failureIn(events);
      assert.equal(kind, "unavailable");
      assert.ok(reason.includes(new URL(baseUrl).host), reason);
    });

    test("[MODEL-4] nobody waits an hour: a long wait is reported instead", async () => {
      const { events, requests } = await play([
        { type: "status", status: 429, message: "come back", headers: { "retry-after": "3600" } },
      ]);
      assert.equal(requests.length, 1);
      const { kind, reason } = failureIn(events);
      assert.equal(kind, "rate_limit");
      assert.match(reason, /3600 seconds/);
    });

    test("[MODEL-4] nothing is tried again once something was said, and what was said stays", async () => {
      const { events, requests } = await play([
        { type: "error event", chunks: ["At ", "no"], message: "Overloaded" },
      ]);
      assert.equal(requests.length, 1);
      assert.equal(textIn(events), "At no");
      assert.ok(typesIn(events).includes("usage"));
      assert.equal(failureIn(events).kind, "unavailable");
    });

    for (const how of ["reset", "end"] as const) {
      test(`[MODEL-5] a stream that is cut (${how}) fails and keeps what was said`, async () => {
        const { events, requests } = await play([{ type: "cut", chunks: ["At ", "no"], how }]);
        assert.equal(requests.length, 1);
        assert.equal(textIn(events), "At no");
        const { kind, reason } = failureIn(events);
        assert.equal(kind, "unavailable", reason);
        assert.match(reason, /cut off|lost in the middle/);
      });
    }

    test("[MODEL-5] a stream of garbage fails, keeps what was said, and does not show the garbage", async () => {
      const { events } = await play([{ type: "garbage", chunks: ["At ", "no"] }]);
      assert.equal(textIn(events), "At no");
      const { kind, reason } = failureIn(events);
      assert.equal(kind, "unknown");
      assert.match(reason, /not an answer/);
      assert.doesNotMatch(reason, /html|not json/);
    });

    test("[MODEL-5] a model that never answers fails as timeout", async () => {
      for (const afterHeaders of [false, true]) {
        const { events, requests } = await play([{ type: "silence", afterHeaders }], {
          settings: { firstByteTimeoutMs: 20_000 },
        });
        assert.equal(requests.length, 1);
        const { kind, reason } = failureIn(events);
        assert.equal(kind, "timeout");
        assert.match(reason, /did not begin to answer within 20 seconds/);
      }
    });

    test("[MODEL-5] a model that stalls in the middle fails as timeout and keeps what was said", async () => {
      const { events } = await play([{ type: "stall", chunks: ["At ", "no"] }], {
        settings: { idleTimeoutMs: 60_000 },
      });
      assert.equal(textIn(events), "At no");
      const { kind, reason } = failureIn(events);
      assert.equal(kind, "timeout");
      assert.match(reason, /middle of its answer.*60 seconds/);
    });

    test("[MODEL-5] each kind of failure is told apart, in words for people", async () => {
      for (const [status, message, code, kind, words] of [
        [
          400,
          "prompt is too long: 210000 tokens",
          "x",
          "context_length",
          /too long for test-model/,
        ],
        [
          400,
          "maximum context length is 8192",
          "context_length_exceeded",
          "context_length",
          /new conversation/,
        ],
        [400, "blocked", "content_filter", "refusal", /declined/],
        [
          401,
          `bad key ${KEY}`,
          "authentication_error",
          "unavailable",
          /does not accept the API key.*\[key\]/,
        ],
        [404, "no such model", "not_found_error", "unavailable", /knows no model test-model/],
        [
          429,
          "You exceeded your current quota",
          "insufficient_quota",
          "rate_limit",
          /nothing left to spend/,
        ],
        [422, "what is this", "x", "unknown", /did not accept the request \(422\)/],
      ] as const) {
        const { events, requests } = await play([{ type: "status", status, message, code }]);
        const failure = failureIn(events);
        assert.equal(failure.kind, kind, failure.reason);
        assert.match(failure.reason, words);
        assert.equal(requests.length, 1, `${status} was tried again`);
      }
      const { events } = await play([{ type: "answer", chunks: ["No"], finish: "refusal" }]);
      assert.equal(failureIn(events).kind, "refusal");
    });

    test("[AGENT-11] a server that quotes the key does not get it past us, however it is cut up", async () => {
      const chunks = ["It is s", "k-secret-", "key-12", "3, s", "o there. s", "k-sec"];
      const { events } = await play([{ type: "answer", chunks, reasoning: [`Use ${KEY}`] }]);
      // A letter or two that a key may begin with are not held back; all that follows is.
      assert.equal(textIn(events), "It is s[key], so there. sk-sec");
      assert.ok(!JSON.stringify(events).includes(KEY));
      const word = await play([{ type: "answer", chunks: ["Try ", "ollama", "."] }], {
        settings: { apiKey: "ollama" },
      });
      assert.equal(textIn(word.events), "Try ollama.");
    });

    test("[MODEL-6] an abort or a listener who leaves closes the connection", async () => {
      for (const leave of ["abort", "break"] as const) {
        await using server = await openModelServer();
        server.queue.push({ type: "forever", chunk: "on ", everyMs: 5 });
        const host = createTestHost({ speed: 1 });
        const runtime = createModelRuntime("local", settingsFor(server.baseUrl));
        for await (const { type } of runtime.start(turnOf("Hello?"), host)) {
          if (type !== "text") continue;
          assert.equal(server.underWay, 1);
          if (leave === "break") break;
          host.abort();
        }
        await server.idle();
        assert.equal(server.underWay, 0);
      }
    });

    test("[MODEL-6] an abort while waiting to try again ends the turn at once", async () => {
      await using server = await openModelServer(() => ({
        type: "status",
        status: 429,
        message: "later",
        headers: { "retry-after": "50" },
      }));
      const host = createTestHost({ speed: 1 });
      const runtime = createModelRuntime("local", settingsFor(server.baseUrl));
      const events: TurnEvent[] = [];
      for await (const event of runtime.start(turnOf("Hello?"), host)) {
        events.push(event);
        if (event.type === "retrying") host.abort();
      }
      assert.deepEqual(events.at(-1), { type: "completed", stopReason: "aborted" });
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
