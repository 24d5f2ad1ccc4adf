import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { nameOf } from "./command-line.ts";
import { readConfig, type Config } from "./read-config.ts";
import { settingsIn } from "./setting.ts";
import { SETTINGS } from "./table.ts";

type Sample = string | number | boolean;

const SAMPLES: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  ["host", "localhost"],
  ["port", 4321],
  ["home", "/tmp/elsewhere"],
  ["log", "memory"],
  ["durability", "normal"],
  ["auth", "none"],
  ["token", "a-token-that-is-long-enough"],
  ["web", "/"],
  ["logStream", "office"],
  ["logCredentials", import.meta.filename],
  ["logCa", import.meta.filename],
  ["logCert", import.meta.filename],
  ["logKey", import.meta.filename],
  ["logMonitor", "http://a:8222"],
  ["logUnsafe", true],
  ["node", "n1"],
  ["shared", "/tmp/shared"],
  ["crewRuntime", "other"],
]);

/** What a setting needs beside it to be accepted. */
function companionsOf(key: string): Readonly<Record<string, string>> {
  if (!/^log./.test(key)) return {};
  const { filename } = import.meta;
  return {
    ATRIUM_LOG: "tls://a",
    ...(key === "logCert" && { ATRIUM_LOG_KEY: filename }),
    ...(key === "logKey" && { ATRIUM_LOG_CERT: filename }),
  };
}

test("[SERVER-1] every setting with a flag is the same by flag, by variable and by key", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-settings-"));
  const web = join(folder.path, "web");
  mkdirSync(web);
  writeFileSync(join(web, "index.html"), "");
  const runtimes = { runtimes: { other: { type: "rehearsal" } } };
  for (const [key, { flag, env }] of settingsIn(SETTINGS)) {
    if (flag === undefined) continue;
    const value = key === "web" ? web : SAMPLES.get(key);
    assert.ok(value !== undefined && env !== undefined, `no sample of ${key}`);
    const read = (args: string[], variables: Record<string, string>, file: object): unknown => {
      writeFileSync(
        join(folder.path, "atrium.config.json"),
        JSON.stringify({ ...runtimes, ...file }),
      );
      const needed = { ...companionsOf(key), ...variables };
      const config = readConfig({ args, env: needed, cwd: folder.path });
      return new Map(Object.entries(config)).get(key);
    };
    // Of two that need each other, neither has a default to be told from.
    if (key !== "logCert" && key !== "logKey") {
      assert.notEqual(read([], {}, {}), value, `the sample of ${key} is its default`);
    }
    const typed = value === true ? [] : [`${value}`];
    assert.equal(read([`--${nameOf(flag)}`, ...typed], {}, {}), value, flag);
    assert.equal(read([], { [env]: `${value}` }, {}), value, env);
    assert.equal(read([], {}, { [key]: value }), value, key);
  }
});

test("[SERVER-1] a key of limits or office that is left out has its own default", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-settings-"));
  const read = (file: object): Config => {
    writeFileSync(join(folder.path, "atrium.config.json"), JSON.stringify(file));
    return readConfig({ args: [], env: {}, cwd: folder.path });
  };
  const usual = read({});
  const changed = read({ limits: { maxTurns: 3 }, office: { meetingMs: 0 } });
  assert.deepEqual(changed.limits, { ...usual.limits, maxTurns: 3 });
  assert.deepEqual(changed.office, { ...usual.office, meetingMs: 0 });
  assert.deepEqual([usual.limits.maxTurns, usual.office.meetingMs], [32, 1_500]);
});

test("[SERVER-1] repositories are found from where the server was started, and strange ones are refused", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-settings-"));
  const read = (repositories: object): Config => {
    writeFileSync(join(folder.path, "atrium.config.json"), JSON.stringify({ repositories }));
    return readConfig({ args: [], env: {}, cwd: folder.path });
  };
  assert.deepEqual(
    read({ shop: { path: "../shop", base: "main" }, b: { path: "/b" } }).repositories,
    [
      { id: "shop", path: join(folder.path, "../shop"), base: "main" },
      { id: "b", path: "/b" },
    ],
  );
  const check = { name: "test", command: ["npm", "test"], required: true };
  const whole = { path: "/b", setup: ["npm", "ci"], checks: [check], deliver: "branch" };
  assert.deepEqual(read({ b: whole }).repositories, [{ id: "b", ...whole }]);
  for (const strange of [
    { "../x": { path: "/x" } },
    { "own-x": { path: "/x" } },
    { "Own-x": { path: "/x" } },
    { x: { path: "/x", setup: "npm ci" } },
    { x: { path: "/x", setup: [] } },
    { x: { path: "/x", checks: [check, check] } },
    { x: { path: "/x", deliver: "push" } },
    { x: {} },
    { x: { path: "/x", branch: "y" } },
  ]) {
    assert.throws(() => read(strange), { name: "ConfigError" });
  }
});
