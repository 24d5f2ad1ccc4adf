/** The sandbox of this machine for tests, and why there is none. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { skipWithout } from "../../../../../scripts/system-programs.ts";
import { holdingTimers } from "../../platform/timers.ts";
import { createBubblewrap } from "../bubblewrap.ts";
import { createConfinement } from "../choose-confinement.ts";
import type { Confinement } from "../confinement.ts";
import { createStdio } from "../inherited-descriptors.ts";

export function openSandbox(
  secret: readonly string[],
  path = process.env["PATH"],
  node = process.execPath,
): Confinement {
  return createBubblewrap({
    secret,
    node,
    path: path ?? "",
    marks: { ATRIUM_AGENT: "mark" },
    timers: holdingTimers,
    now: () => performance.now(),
    stdio: createStdio(),
  });
}

/** Of a system that has no sandbox: people are asked. */
export function openWithoutSandbox(secret: readonly string[]): Confinement {
  return createConfinement({
    platform: "a system without sandboxes",
    path: "",
    node: process.execPath,
    secret,
    marks: {},
    env: { PATH: process.env["PATH"] ?? "" },
    timers: holdingTimers,
    now: () => performance.now(),
  });
}

/** Processes are found by it; some systems that run Linux programs do not have all of it. */
export function skipWithoutProc(): string | false {
  const files = ["environ", "statm", `task/${process.pid}/children`, "fdinfo"];
  const missing = files.find((file) => !existsSync(`/proc/self/${file}`));
  return missing === undefined ? false : `there is no /proc/self/${missing}`;
}

/** For the options of a test. A container may forbid namespaces, and then there is nothing to be tried. */
export function skipWithoutSandbox(): string | false {
  if (process.platform !== "linux") return "bubblewrap is for Linux";
  const missing = skipWithout("bwrap") || skipWithoutProc();
  if (missing !== false) return missing;
  const options = ["--unshare-user", "--unshare-all", "--ro-bind", "/", "/", "true"];
  const { error, status, stderr } = spawnSync("bwrap", options, { encoding: "utf8" });
  if (error !== undefined) return error.message;
  return status === 0 ? false : `user namespaces are not allowed here: ${stderr.trim()}`;
}
