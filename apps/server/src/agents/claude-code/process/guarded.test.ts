import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { gone, isAlive } from "../../../../../../test/kit/processes.ts";
import { spawnGuarded } from "./guarded.ts";

const SERVER = join(import.meta.dirname, "../testing/server-double.ts");
const PLACE = { cwd: ".", env: { PATH: process.env["PATH"] ?? "" } };

for (const [how, script] of [
  ["", "sleep 1000 & echo $!; wait"],
  [" that ignores SIGTERM", "trap '' TERM; sleep 1000 & echo $!; wait"],
] as const) {
  test(`[CLAUDE-4] a program${how} does not outlive a server that is killed`, async () => {
    const server = spawn(process.execPath, [SERVER, script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = (await once(server.stdout, "data")) as [Buffer];
    const pids = said.toString("utf8").trim().split(" ").map(Number);
    assert.ok(pids.length === 2 && pids.every(isAlive), pids.join(" "));
    server.kill("SIGKILL");
    await gone(pids);
  });
}

test("[CLAUDE-4] what is said to a guarded program and by it is as if nobody guarded it", async () => {
  const { child, stdin, stdout, stderr } = spawnGuarded(
    "/bin/sh",
    [
      "-c",
      // Builtins alone: a pipeline would open files of its own while it is looked for others.
      'read line; echo "$1 $line"; echo bad >&2; for n in 0 1 2 3 4 5 6; do [ -e /proc/$$/fd/$n ] && printf "$n "; done; exit 7',
      "sh",
      "a b",
    ],
    PLACE,
  );
  stdin.end("hello\n");
  const [out, bad, [code]] = await Promise.all([
    Array.fromAsync(stdout, String),
    Array.fromAsync(stderr, String),
    once(child, "exit"),
  ]);
  const [said, files = ""] = out.join("").split("\n");
  assert.deepEqual([said, bad.join(""), code], ["a b hello", "bad\n", 7]);
  assert.equal(files, "0 1 2 ");
});
