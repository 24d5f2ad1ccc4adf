import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { digestSettings } from "./digest-settings.ts";
import { readConfig } from "./read-config.ts";

const AGENT = { id: "agent_bd", name: "BD", role: "front desk", runtime: "program" };
const PROGRAM = { type: "command", command: ["/usr/bin/agent", "--key=secret-1"] };
const FILE = { runtimes: { program: PROGRAM }, agents: [AGENT], limits: { maxTurns: 3 } };

function digests(file: object, args: readonly string[] = []): Readonly<Record<string, string>> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-settings-"));
  writeFileSync(join(folder.path, "atrium.config.json"), JSON.stringify(file));
  return digestSettings(readConfig({ args, env: {}, cwd: folder.path }));
}

test("[NODE-63] the same settings have the same digests, on whichever machine and in whichever order", () => {
  const expected = digests(FILE);
  const { agents, limits, runtimes } = FILE;
  assert.deepEqual(digests({ limits, agents, runtimes }, ["--port", "1", "--node", "b"]), expected);
  const turned = Object.fromEntries(Object.entries(AGENT).toReversed());
  assert.deepEqual(digests({ ...FILE, agents: [turned] }), expected);
});

test("[NODE-63] what differs has another digest, and secrets are in none", () => {
  const expected = digests(FILE);
  const differing = (file: object): readonly string[] =>
    Object.entries(digests(file)).flatMap(([name, digest]) =>
      expected[name] === digest ? [] : [name],
    );
  assert.deepEqual(differing({ ...FILE, limits: { maxTurns: 4 } }), ["limits"]);
  assert.deepEqual(differing({ ...FILE, agents: [{ ...AGENT, name: "Ada" }] }), ["agents"]);
  assert.deepEqual(differing({ ...FILE, budgets: { run: { tokens: 5 } } }), ["budgets"]);
  const other = { ...PROGRAM, command: ["/usr/bin/other"] };
  assert.deepEqual(differing({ ...FILE, runtimes: { program: other } }), ["runtimes"]);
  const key = { ...PROGRAM, command: ["/usr/bin/agent", "--key=secret-2"] };
  assert.deepEqual(differing({ ...FILE, runtimes: { program: key } }), []);
});
