import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Fault } from "@atrium/core";
import { ConfigError } from "../../platform/config-error.ts";
import { readConfig, type Config } from "../read-config.ts";
import { openNextLife } from "./next-life.ts";

/** A server that began with one text of its file, and opens again with another. */
async function openAgain(before: object, after: string, open = async (config: Config) => config) {
  using home = mkdtempDisposableSync(join(tmpdir(), "atrium-life-"));
  const file = join(home.path, "atrium.config.json");
  const inputs = { args: ["--home", home.path], env: {}, cwd: home.path };
  writeFileSync(file, JSON.stringify(before));
  const first = readConfig(inputs);
  writeFileSync(file, after);
  const said: string[] = [];
  const report = ({ message, context }: Fault): void =>
    void said.push(`${message}: ${String(context["why"])}`);
  const note = (what: string, { settings }: Readonly<Record<string, unknown>>): void =>
    void said.push(`${what}: ${String(settings)}`);
  const last = { ...first, allowedHosts: ["last.example"] };
  return { config: await openNextLife({ inputs, first, last, open, report, note }), first, said };
}

test("[SET-24] what may change while the server runs follows the file, the rest waits for a restart", async () => {
  const after = { host: "::1", shared: "/elsewhere", limits: { maxTurns: 3 }, crewRuntime: "own" };
  const runtimes = { own: { type: "rehearsal" } };
  const text = JSON.stringify({ ...after, runtimes, home: "/else" });
  const { config, first, said } = await openAgain({ limits: { maxTurns: 9 } }, text);
  assert.deepEqual([config.limits.maxTurns, config.crewRuntime], [3, "own"]);
  assert.ok("own" in config.runtimes);
  for (const name of ["host", "shared", "home", "port"] as const) {
    assert.equal(config[name], first[name], name);
  }
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /need a restart of the process.*: host,shared$/);
});

test("[SET-24] with a file that cannot be used it opens with the settings that it had, and says why", async () => {
  for (const text of ["{ not json", '{"colour": "red"}']) {
    const { config, said } = await openAgain({}, text);
    assert.deepEqual(config.allowedHosts, ["last.example"]);
    assert.match(said[0] ?? "", /opens with those that it had: .*atrium\.config\.json/);
  }
  let tries = 0;
  const open = async (config: Config): Promise<Config> => {
    tries += 1;
    if (config.limits.maxTurns === 3) throw new ConfigError("a program is missing");
    return config;
  };
  const { config, said } = await openAgain({}, '{"limits": {"maxTurns": 3}}', open);
  assert.deepEqual([tries, config.allowedHosts], [2, ["last.example"]]);
  assert.match(said[0] ?? "", /a program is missing/);
});
