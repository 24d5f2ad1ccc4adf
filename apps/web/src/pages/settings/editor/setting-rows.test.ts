import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fieldText, shownText, valueFrom } from "./field-text.ts";
import { isFound, patchAt, readSettingRows, type SettingRow } from "./setting-rows.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../../../../../dist/config.schema.json", import.meta.url), "utf8"),
) as unknown;
const HIDDEN = "__OPENCLAW_REDACTED__";
const VALUES = {
  port: 1,
  token: HIDDEN,
  allowedHosts: ["a.example", "b.example"],
  limits: { maxTurns: 32, lobbySeats: 4 },
  budgets: { run: { tokens: 200_000 } },
  runtimes: { claude: { type: "claude-code", command: "claude", env: HIDDEN } },
  crew: [{ id: "agent_bd", handle: "main", name: "BD", role: "front desk", runtime: "claude" }],
};
const FIXED = [
  { path: "port", reason: "given", by: "--port" },
  { path: "limits.lobbySeats", reason: "restart" },
];

function rowAt(path: string): SettingRow {
  const rows = readSettingRows({ schema, values: VALUES, fixed: FIXED });
  const row = rows.find((each) => each.path.join(".") === path);
  assert.ok(row !== undefined, path);
  return row;
}

test("[PAGE-24] every key of the settings file is a row or has rows, of its runtime's own kind", () => {
  const rows = readSettingRows({ schema, values: VALUES, fixed: FIXED });
  const { properties } = schema as { readonly properties: object };
  const named = new Set(rows.map(({ path }) => path[0]));
  assert.deepEqual(
    Object.keys(properties).filter((name) => !named.has(name)),
    ["$schema"],
  );
  assert.equal(rowAt("runtimes.claude.transport").kind, "choice");
  assert.ok(!rows.some(({ path }) => path.join(".") === "runtimes.claude.pace"), "of a rehearsal");
  assert.deepEqual(
    [rowAt("budgets.run.cost").group, rowAt("agents.agent_bd.cwd").group, rowAt("port").group],
    ["budgets", "agents.agent_bd", ""],
  );
  assert.equal(rowAt("runtimes").kind, "json", "for one that is not there yet");
  assert.equal(new Set(rows.map(({ path }) => path.join("."))).size, rows.length);
});

test("[PAGE-24] what is fixed and what is not shown is told, and no mark gets into a field", () => {
  assert.deepEqual(rowAt("port").fixed, FIXED[0]);
  assert.deepEqual(rowAt("limits.lobbySeats").fixed, FIXED[1]);
  assert.equal(rowAt("limits.maxTurns").fixed, undefined);
  for (const path of ["token", "runtimes.claude.env"]) {
    const row = rowAt(path);
    assert.deepEqual([row.isHidden, fieldText(row)], [true, ""], path);
  }
});

test("[PAGE-24] a field's text becomes the value of its kind, or is none", () => {
  const read = (path: string, text: string): unknown => valueFrom(rowAt(path), text);
  assert.deepEqual(read("limits.maxTurns", "7"), { ok: true, value: 7 });
  assert.deepEqual(read("limits.maxTurns", ""), { ok: false });
  assert.deepEqual(read("allowedHosts", " a \n\nb"), { ok: true, value: ["a", "b"] });
  assert.deepEqual(read("logUnsafe", "true"), { ok: true, value: true });
  assert.deepEqual(read("runtimes", "{"), { ok: false });
  assert.deepEqual(read("agents.agent_bd.name", "7"), { ok: true, value: "7" });
  assert.equal(shownText(rowAt("budgets.run.tokens"), "en"), "200,000");
  assert.equal(shownText(rowAt("allowedHosts"), "en"), "a.example, b.example");
  assert.deepEqual(patchAt(["agents", "agent_bd", "name"], null), {
    agents: { agent_bd: { name: null } },
  });
});

test("[PAGE-24] a setting is found by its name and by what it does", () => {
  const row = rowAt("limits.maxTurns");
  for (const query of ["maxturns", "turns same time", "  LIMITS "]) {
    assert.ok(isFound(row, query), query);
  }
  assert.ok(!isFound(row, "budget"));
});
