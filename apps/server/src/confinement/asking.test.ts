import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { holdingTimers } from "../platform/timers.ts";
import { createAsking } from "./asking.ts";
import { describeConfinement } from "./confinement.contract.ts";
import type { CommandPermission, Confinement } from "./confinement.ts";
import { createStdio } from "./inherited-descriptors.ts";
import { openFolders, shellIn, type ConfinementFolders } from "./testing/confinement-stage.ts";
import { skipWithoutProc } from "./testing/sandbox.ts";

const skip = skipWithoutProc();

function open({ home }: ConfinementFolders): Confinement {
  return createAsking({
    problem: "There is no sandbox.",
    secret: [home],
    env: { PATH: "/usr/bin:/bin" },
    timers: holdingTimers,
    now: () => performance.now(),
    stdio: createStdio(),
  });
}

describeConfinement("asking", { skip, open });

test("[CONFINE-12] a command is put to a person, whole, and starts only when it is allowed", async () => {
  await using folders = await openFolders();
  const shell = shellIn(open(folders), folders);
  const asked: CommandPermission[] = [];
  const script = "touch made\necho and more";
  const denied = await shell(script, {
    permit: (request) => {
      asked.push(request);
      return Promise.resolve({ isAllowed: false, reason: "Denied: not now" });
    },
  });
  assert.deepEqual(denied.end, { how: "refused", reason: "Denied: not now" });
  await assert.rejects(readFile(join(folders.folder, "made")), { code: "ENOENT" });
  const [request] = asked;
  assert.deepEqual(request?.command, ["/bin/sh", "-c", script]);
  assert.equal(request?.cwd, folders.folder);
  assert.match(request?.warning ?? "", /without a sandbox.*There is no sandbox\./);
  const allowed = await shell(script);
  assert.equal(allowed.output.text, "and more\n");
  assert.equal(await readFile(join(folders.folder, "made"), "utf8"), "");
});
