import assert from "node:assert/strict";
import { test } from "node:test";
import { systemTimers } from "../../platform/timers.ts";
import { limitsWith, type CommandLimits } from "../limits.ts";
import { markedProcesses } from "../process-tree.ts";
import { openFolders } from "../testing/confinement-stage.ts";
import { openSandbox, skipWithoutSandbox } from "../testing/sandbox.ts";
import { describeEnd, openChild } from "./child.ts";

const skip = skipWithoutSandbox();
const MEGABYTE = 1024 * 1024;

/** How a program in a sandbox ends that nobody stops. */
async function endOf(script: string, limits: Partial<CommandLimits>): Promise<string> {
  await using folders = await openFolders();
  const { folder } = folders;
  const enclosed = await openSandbox([folders.home]).enclose(
    {
      argv: ["/bin/sh", "-c", script],
      env: { PLACE: folder },
      permit: () => Promise.resolve({ isAllowed: true }),
    },
    {
      place: { folder },
      descriptor: 4,
      limits: limitsWith(limits),
      signal: new AbortController().signal,
    },
  );
  assert.ok(enclosed.ok);
  const { argv, ...launch } = enclosed.launch;
  const opened = await openChild({ ...launch, command: argv }, systemTimers);
  assert.ok(opened.ok);
  const { child } = opened;
  const end = await child.ended;
  await child.stop();
  assert.deepEqual(markedProcesses(`PLACE=${folder}`), []);
  return describeEnd("sh", end, child.complaint());
}

test(
  "[CONFINE-3] a program that starts too many processes is stopped with all of them",
  { skip },
  async () => {
    const script = "for i in $(seq 60); do setsid sleep 1000 & done; wait";
    const end = await endOf(script, { processes: 20 });
    assert.equal(end, '"sh" started more than 20 processes and was stopped.');
  },
);

test(
  "[CONFINE-3] a program that takes too much memory is stopped with all it started",
  { skip },
  async () => {
    const script =
      "setsid node -e 'globalThis.a = Buffer.alloc(400e6, 1); setInterval(() => a, 1e6)' & wait";
    const end = await endOf(script, { memoryBytes: 200 * MEGABYTE });
    assert.equal(end, '"sh" took more than 200 MB of memory and was stopped.');
  },
);

test("[CONFINE-3] a program within its limits ends by itself", { skip }, async () => {
  assert.equal(await endOf("sleep 0.5; exit 3", {}), '"sh" ended with exit code 3.');
});
