import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";
import { openModelServer } from "../../../../test/kit/model-server/model-server.ts";
import { createTestHost } from "./testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "./testing/turns.ts";

test("[AGENT-10] the AI SDK is loaded by the first turn of a model, and not before", async () => {
  const loaded: string[] = [];
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      loaded.push(found.url);
      return found;
    },
  });
  const sdk = (): string[] =>
    loaded.filter((url) => /node_modules\/(?:ai|@ai-sdk|zod)\//.test(url));

  const { createRuntimes } = await import("./runtimes.ts");
  await using server = await openModelServer();
  const { baseUrl } = server;
  const provider = "openai-compatible";
  const settings = { x: { type: "model" as const, provider, baseUrl, model: "m" } } as const;
  const runtime = (await createRuntimes(settings, () => undefined)).get("x");
  assert.ok(runtime !== undefined && loaded.length > 0);
  assert.deepEqual(sdk(), []);

  const events = await eventsOf(runtime, turnOf("Hello?"), createTestHost({ speed: 1 }));
  assert.equal(textIn(events), "You said: Hello?");
  assert.notDeepEqual(sdk(), []);
});
