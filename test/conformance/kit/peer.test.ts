import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findChromium, findClaudeCode, findCodex, findOpenClaw } from "./peer.ts";
import { openStage } from "./stage.ts";

test("what is not there is skipped by name, and fails by name where CI is set", async () => {
  await using empty = await mkdtempDisposable(join(tmpdir(), "atrium-peers-"));
  const here = { ATRIUM_CACHE: empty.path, PATH: empty.path };
  const inCi = { ...here, CI: "true" };
  for (const [name, find] of [
    ["openclaw@2026.9.6", (env: NodeJS.ProcessEnv) => findOpenClaw("2026.9.6", env)],
    ["openclaw@2026.4.29", (env: NodeJS.ProcessEnv) => findOpenClaw("2026.4.29", env)],
    ["@anthropic-ai/claude-code@2.1.325", findClaudeCode],
    ["@openai/codex@0.166.0", findCodex],
    ["chromium", findChromium],
  ] as const) {
    const missing = `${name} is not installed; npm run conformance brings it`;
    assert.equal(find(here).skip, missing);
    assert.equal(find(inCi).skip, false);
    assert.throws(() => find(inCi).path(), { message: missing });
  }
  await assert.rejects(openStage(findOpenClaw("2026.9.6", inCi), { client: "none" }), {
    message: /^openclaw@2026\.9\.6 is not installed/,
  });
});
