import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { gone, isAlive } from "../../../../../../test/kit/processes.ts";
import { stopProcess } from "./stop-process.ts";

const skip = process.platform !== "linux" && "only Linux lets the environment be read";

for (const [what, script, variable] of [
  ["what it has started in a group of its own", "setsid sleep 1000 & echo $!; wait", "MARK"],
  [
    "one that ignores SIGTERM, with its group and without a mark",
    "trap '' TERM; sleep 1000 & echo $!; wait",
    undefined,
  ],
] as const) {
  test(`[CLAUDE-4] stopping ends ${what}`, { skip, timeout: 20_000 }, async () => {
    const mark = `${process.pid}.${script.length}`;
    const env = { PATH: process.env["PATH"], MARK: mark };
    const shell = spawn("sh", ["-c", script], {
      env,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(shell, "exit");
    const [line] = (await once(shell.stdout, "data")) as [Buffer];
    const pids = [shell.pid ?? 0, Number(line.toString("utf8"))];
    assert.ok(pids.every(isAlive), pids.join(" "));
    await stopProcess({
      pid: shell.pid,
      ended,
      mark: variable === undefined ? [] : [`${variable}=${mark}`],
    });
    await gone(pids);
  });
}
