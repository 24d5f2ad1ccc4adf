import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

test("[AGENT-10] the code of a type of runtime is loaded where the settings have one of it, and else not", async () => {
  const loaded = new Set<string>();
  const code = /\/server\/src\/agents\/(acp|claude-code|codex|command|model|openclaw)\//;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const type = code.exec(found.url)?.[1];
      if (type !== undefined) loaded.add(type);
      return found;
    },
  });
  const { openTestAtrium } = await import("../../kit/atrium.ts");
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-settings-"));
  const open = async (runtime: object): Promise<readonly string[]> => {
    const config = join(folder.path, "atrium.config.json");
    writeFileSync(config, JSON.stringify({ runtimes: { one: runtime } }));
    await using _atrium = await openTestAtrium({ args: ["--config", config, "--agents", "one"] });
    const found = [...loaded].toSorted();
    loaded.clear();
    return found;
  };
  assert.deepEqual(await open({ type: "rehearsal" }), []);
  const model = { type: "model", provider: "openai-compatible", baseUrl: "http://x", model: "m" };
  assert.deepEqual(await open(model), ["model"]);
  assert.deepEqual(await open({ type: "command", command: ["true"] }), ["command"]);
  assert.deepEqual(await open({ type: "openclaw", url: "ws://127.0.0.1:9" }), ["openclaw"]);
  assert.deepEqual(await open({ type: "acp", command: ["true"] }), ["acp"]);
  assert.deepEqual(await open({ type: "codex" }), ["codex"]);
  assert.deepEqual(await open({ type: "claude-code" }), ["claude-code"]);
});
