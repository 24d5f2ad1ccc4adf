import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Behavior } from "../../../../../test/kit/model-server/behavior.ts";
import { openModelServer } from "../../../../../test/kit/model-server/model-server.ts";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf, typesIn } from "../testing/turns.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { createModelRuntime } from "./model.ts";
import { failureIn, KEY, modelStage, PROVIDERS, USAGE } from "./testing/model-stage.ts";

for (const provider of PROVIDERS) {
  const { settingsFor, play } = modelStage(provider);

  describe(`failures of a model, ${provider}`, () => {
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
