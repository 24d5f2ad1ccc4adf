import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { killMarked, markedProcesses } from "./process-tree.ts";

test(
  "[CLAUDE-4] a process that becomes another program at that moment is ended too",
  {
    skip: process.platform === "linux" ? false : "only Linux lets the environment be read",
  },
  async () => {
    for (let round = 0; round < 40; round++) {
      const mark = `${process.pid}.${round}`;
      // It becomes itself over and over, and in such a moment nothing can be read of it.
      const LOOP = `exec sh -c "$LOOP"`;
      const env = { PATH: process.env["PATH"], MARK: mark, LOOP };
      const shell = spawn("sh", ["-c", LOOP], { env, stdio: "ignore" });
      const ended = once(shell, "exit");
      await once(shell, "spawn");
      await killMarked([`MARK=${mark}`]);
      // Long, because a busy machine may bury it late.
      const how = await Promise.race([ended, setTimeout(60_000, undefined, { ref: false })]);
      if (how === undefined) shell.kill("SIGKILL");
      assert.notEqual(how, undefined, `round ${round}: it is still there`);
      assert.deepEqual(await markedProcesses([`MARK=${mark}`]), []);
    }
  },
);
