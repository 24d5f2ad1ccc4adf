import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseTests } from "./choose-tests.ts";

const FOUND = [
  "apps/server/src/config.test.ts",
  "apps/web/src/office/office-engine.test.ts",
  "packages/log/src/log-memory.test.ts",
  "scripts/protocol/agreement.test.ts",
  "test/conformance/clients/openclaw-tui.test.ts",
  "test/e2e/client/client.test.ts",
  "test/e2e/web/story.test.ts",
];

test("everything but the real clients, the longest first", () => {
  assert.deepEqual(chooseTests(FOUND, { filters: [], isQuick: false }), {
    chosen: [
      "test/e2e/web/story.test.ts",
      "scripts/protocol/agreement.test.ts",
      "packages/log/src/log-memory.test.ts",
      "apps/web/src/office/office-engine.test.ts",
      "test/e2e/client/client.test.ts",
      "apps/server/src/config.test.ts",
    ],
    leftOut: ["1 file of test/conformance/clients/ (npm run conformance)"],
  });
});

test("a quick run starts no whole server and no program of the system, and says so", () => {
  assert.deepEqual(chooseTests(FOUND, { filters: [], isQuick: true }), {
    chosen: ["packages/log/src/log-memory.test.ts", "apps/server/src/config.test.ts"],
    leftOut: [
      "1 file of apps/web (npm test)",
      "1 file of scripts/protocol (npm test)",
      "1 file of test/conformance/clients/ (npm run conformance)",
      "2 files of test/e2e (npm test)",
    ],
  });
});

test("what is named, real clients among it, is what runs", () => {
  const named = (...filters: readonly string[]): readonly string[] =>
    chooseTests(FOUND, { filters, isQuick: false }).chosen;
  assert.deepEqual(named("log-memory", "e2e/client/client"), [
    "packages/log/src/log-memory.test.ts",
    "test/e2e/client/client.test.ts",
  ]);
  assert.deepEqual(named("openclaw-tui"), []);
  assert.deepEqual(named("test/conformance/clients/openclaw-tui"), [
    "test/conformance/clients/openclaw-tui.test.ts",
  ]);
});
