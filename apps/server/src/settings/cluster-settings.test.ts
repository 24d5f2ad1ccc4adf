import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { publicSettings } from "./public-settings.ts";
import { readConfig, type Config } from "./read-config.ts";

const HERE = import.meta.filename;
const read = (...args: string[]): Config => readConfig({ args, env: {}, cwd: tmpdir() });

test("[SERVER-15] servers of the log are listed with commas, with one scheme and a usual port", () => {
  assert.deepEqual(read("--log", "nats://a:4223, b,nats://[::1]:9").nats, {
    servers: ["a:4223", "b:4222", "[::1]:9"],
    stream: "atrium",
    monitors: [],
    isUnsafe: false,
  });
  const monitors = ["--log-monitor", "http://a:8222/,http://b:8222"];
  const files = ["--log-ca", HERE, "--log-cert", HERE, "--log-key", HERE];
  assert.deepEqual(
    read("--log", "tls://a", ...monitors, ...files, "--log-credentials", HERE, "--log-unsafe").nats,
    {
      servers: ["a:4222"],
      stream: "atrium",
      credentialsFile: HERE,
      tls: { caFile: HERE, certFile: HERE, keyFile: HERE },
      monitors: ["http://a:8222", "http://b:8222"],
      isUnsafe: true,
    },
  );
  assert.deepEqual(read("--log", "tls://a").nats?.tls, {});
  assert.equal(read().nats, undefined);
});

test("[SERVER-15] what cannot be meant is refused with the setting and what to write", () => {
  const nats = ["--log", "nats://a"];
  const strange: readonly (readonly [args: readonly string[], problem: RegExp])[] = [
    [["--log", "postgres"], /log: "postgres" is no place for a log; use sqlite, memory, or/],
    [["--log", "http://a"], /is no place for a log/],
    [["--log", "nats://"], /log: nats:\/\/ is no address of a server/],
    [["--log", "nats://a,"], /is no address of a server/],
    [["--log", "nats://a:99999"], /is no address of a server/],
    [["--log", "nats://a/x"], /is no address of a server/],
    [["--log", "nats://a,tls://b"], /server 2 begins with tls:\/\/, the first with nats:\/\//],
    [["--log", "nats://a?x=1"], /is no address of a server/],
    [[...nats, "--log-stream", "a.b"], /logStream: use letters/],
    [[...nats, "--log-stream", ">"], /logStream: use letters/],
    [
      [...nats, "--log-credentials", "/no/such/file"],
      /logCredentials: cannot read \/no\/such\/file/,
    ],
    [[...nats, "--log-credentials", tmpdir()], /logCredentials: .* is no file/],
    [[...nats, "--log-ca", HERE], /write the addresses in log as tls:/],
    [["--log", "tls://a", "--log-cert", HERE], /logCert and logKey belong together/],
    [[...nats, "--log-monitor", "a:8222"], /logMonitor: "a:8222" is no address/],
    [["--log-stream", "x"], /logStream is about servers of the log, and log is sqlite/],
    [["--log-unsafe"], /logUnsafe is about servers of the log/],
    [["--log", "memory", "--log-monitor", "http://a"], /logMonitor is about .* log is memory/],
    [["--node", "a.b"], /at \/node/],
  ];
  for (const [args, problem] of strange) {
    assert.throws(() => read(...args), { name: "ConfigError", message: problem }, args.join(" "));
  }
  assert.throws(
    () => readConfig({ args: nats, env: { ATRIUM_LOG_UNSAFE: "yes" }, cwd: tmpdir() }),
    { name: "ConfigError", message: /logUnsafe/ },
  );
});

test("[SERVER-15] an account in an address is refused and never repeated", () => {
  for (const args of [
    ["--log", "nats://me:hunter2@a"],
    ["--log", "nats://a,me:hunter2@b"],
    ["--log", "nats://hunter2@a"],
    ["--log", "me:hunter2@a"],
    ["--log", "nats://a", "--log-monitor", "http://me:hunter2@a:8222"],
  ]) {
    assert.throws(
      () => read(...args),
      (cause: Error) => cause.name === "ConfigError" && !cause.message.includes("hunter2"),
      args.join(" "),
    );
  }
});

test("[SERVER-15] files of an account are shown to nobody", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-settings-"));
  const file = join(folder.path, "secret.creds");
  writeFileSync(file, "x");
  const { values } = publicSettings(read("--log", "nats://a", "--log-credentials", file));
  assert.equal(values["log"], "nats://a");
  assert.ok(!JSON.stringify(values).includes("secret.creds"));
});
