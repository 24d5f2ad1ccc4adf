import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { ConfigFile } from "../settings/table.ts";
import { checkRuntimes } from "./settings.ts";

const DOCS = readFileSync(new URL("../../../../docs/agents.md", import.meta.url), "utf8");

/** Blocks of code that are settings: indented, and an object of JSON. */
function examples(): readonly string[] {
  const blocks = DOCS.match(/(?<=\n\n)(?: {4}.*\n)+/g) ?? [];
  return blocks.filter((block) => block.trimStart().startsWith('{ "'));
}

test("[AGENT-23] every example of settings is one", () => {
  const validator = Compile(ConfigFile);
  const kinds = new Set<string>();
  for (const example of examples()) {
    const settings: unknown = JSON.parse(example);
    assert.equal(checkRuntimes(settings), undefined, example);
    assert.ok(validator.Check(settings), `${example}${JSON.stringify(validator.Errors(settings))}`);
    for (const { type } of Object.values(settings.runtimes ?? {})) kinds.add(type);
  }
  assert.deepEqual([...kinds].toSorted(), ["acp", "claude-code", "command", "model", "openclaw"]);
});
