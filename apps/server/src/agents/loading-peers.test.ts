import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";
import { createTestHost } from "./testing/test-host.ts";
import { eventsOf, turnOf } from "./testing/turns.ts";

test("[AGENT-10] the ACP SDK and the gateway's client are loaded by the first turn that needs them", async () => {
  const loaded: string[] = [];
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      loaded.push(found.url);
      return found;
    },
  });
  const has = (name: string): boolean =>
    loaded.some((url) => url.includes(`node_modules/${name}/`));
  const { createRuntimes } = await import("./runtimes.ts");
  const runtimes = await createRuntimes(
    {
      acp: { type: "acp", command: ["no-such-agent"] },
      claw: { type: "openclaw", url: "ws://127.0.0.1:9", connectTimeoutMs: 1 },
    },
    () => undefined,
  );
  const play = async (name: string): Promise<void> => {
    const runtime = runtimes.get(name);
    assert.ok(runtime !== undefined);
    const events = await eventsOf(runtime, turnOf("Hello?"), createTestHost({ speed: 1 }));
    assert.equal(events.at(-1)?.type, "failed");
    await runtime.close?.();
  };
  const ACP = "@agentclientprotocol/sdk";
  const CLAW = "@openclaw/gateway-client";
  assert.deepEqual([loaded.length > 0, has(ACP), has(CLAW)], [true, false, false]);
  await play("acp");
  assert.deepEqual([has(ACP), has(CLAW)], [true, false]);
  await play("claw");
  assert.deepEqual([has(ACP), has(CLAW)], [true, true]);
});
