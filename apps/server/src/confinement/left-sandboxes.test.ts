import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { endLeftSandboxes, homeMark } from "./left-sandboxes.ts";

const skip = process.platform === "linux" ? false : "only Linux lets the environment be read";

test(
  "[CONFINE-13] what earlier lives of this home left of a sandbox is ended, and nothing else",
  { skip },
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-left-"));
    const [bwrap, other] = [join(folder.path, "bwrap"), join(folder.path, "sleeper")];
    for (const program of [bwrap, other]) await copyFile("/bin/sleep", program);
    const home = homeMark(folder.path);
    const start = async (program: string, mark: string) => {
      const child = spawn(program, ["600"], { env: { MARK: mark }, stdio: "ignore" });
      await once(child, "spawn");
      return child;
    };
    const present = `${home}.now`;
    const left = await start(bwrap, `${home}.before`);
    const kept = [
      await start(bwrap, present),
      await start(bwrap, `${homeMark("/elsewhere")}.before`),
      await start(other, `${home}.before`),
    ];
    try {
      const ended = once(left, "exit");
      // A process has its new environment a moment after it was started.
      while (endLeftSandboxes("MARK", home, present) === 0);
      await ended;
      assert.equal(endLeftSandboxes("MARK", home, present), 0);
      assert.deepEqual(
        kept.map(({ exitCode, signalCode }) => [exitCode, signalCode]),
        kept.map(() => [null, null]),
      );
    } finally {
      for (const child of [left, ...kept]) child.kill("SIGKILL");
    }
  },
);
