import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { ConfigFile } from "../settings/table.ts";
import { withDefaults as acpDefaults } from "./acp/acp-settings.ts";
import { withDefaults as claudeDefaults } from "./claude-code/protocol/claude-settings.ts";
import { withDefaults as codexDefaults } from "./codex/app-server/codex-settings.ts";
import { DEFAULT_CONTEXT_TOKENS, DEFAULT_MAX_OUTPUT_BYTES } from "./command/command.ts";
import { withDefaults as modelDefaults } from "./model/model-settings.ts";
import { withDefaults as openClawDefaults } from "./openclaw/openclaw-settings.ts";
import { checkRuntimes, Runtimes } from "./settings/runtime-settings.ts";

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
  const known = knownKeys().map(([type]) => type);
  assert.deepEqual([...kinds, "rehearsal"].toSorted(), known.toSorted());
});

type KeyTables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Of each type of runtime, the keys that its table has, with what stands there as their default. */
function documentedKeys(): KeyTables {
  const sections = DOCS.split(/\n(?=`[a-z-]+`: )|\n## /).flatMap((section) => {
    const type = /^`([a-z-]+)`: /.exec(section)?.[1];
    const table = /\| key \| means \| default \|\n[^\n]*\n((?:\|.*\n)+)/.exec(section)?.[1];
    return type === undefined || table === undefined ? [] : [[type, keysIn(table)] as const];
  });
  return new Map(sections);
}

function keysIn(table: string): ReadonlyMap<string, string> {
  const rows = Array.from(table.matchAll(/^\| (.*?) \| .* \| (.*?) ?\|$/gm), ([, names, usual]) =>
    Array.from((names ?? "").matchAll(/`(\w+)`/g), ([, key]) => [key ?? "", usual ?? ""] as const),
  );
  return new Map(rows.flat());
}

/** What the settings of each type may have, by the schema. */
function knownKeys(): readonly (readonly [string, readonly string[]])[] {
  const [runtime] = Object.values(Runtimes.patternProperties);
  return (runtime?.anyOf ?? []).map(({ properties: { type, ...keys } }) => [
    type.const,
    Object.keys(keys),
  ]);
}

test("[AGENT-23] the table of a runtime has every key, with the default that it has", () => {
  const documented = documentedKeys();
  const keys = Array.from(documented, ([type, table]) => [type, [...table.keys()].toSorted()]);
  // The rehearsal has a page of its own.
  const known = knownKeys().filter(([type]) => type !== "rehearsal");
  assert.deepEqual(
    Object.fromEntries(keys),
    Object.fromEntries(known.map(([type, names]) => [type, names.toSorted()])),
  );
  const model = { baseUrl: "", model: "", apiKey: undefined };
  const defaults = {
    model: modelDefaults({ ...model, provider: "openai-compatible" }),
    "claude-code": claudeDefaults({}, "", () => undefined),
    command: { maxOutputBytes: DEFAULT_MAX_OUTPUT_BYTES, contextTokens: DEFAULT_CONTEXT_TOKENS },
    acp: acpDefaults({ command: [], cwd: "", env: {} }),
    codex: codexDefaults({ cwd: "", env: {} }),
    openclaw: openClawDefaults({ url: "" }),
  };
  const words = [
    "command",
    "transport",
    "permissionMode",
    "agentId",
    "sandboxMode",
    "approvalPolicy",
  ];
  const compared: string[] = [];
  for (const [type, values] of Object.entries(defaults)) {
    for (const [key, value] of Object.entries(values)) {
      const usual = documented.get(type)?.get(key);
      const isWord = typeof value === "string" && words.includes(key);
      if (usual === undefined || (typeof value !== "number" && !isWord)) continue;
      // `acp` has some as `command` has them.
      const said = usual === "" ? documented.get("command")?.get(key) : usual;
      assert.match(`${said?.replaceAll("`", "")};`, new RegExp(`^${value};`), `${type}: ${key}`);
      compared.push(key);
    }
  }
  assert.equal(compared.length, 29, compared.join(" "));
  const { contextTokens } = modelDefaults({ ...model, provider: "anthropic" });
  assert.match(documented.get("model")?.get("contextTokens") ?? "", RegExp(`c ${contextTokens}$`));
});
