/** The same contract with the server's own git in a sandbox. */
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { openSandbox, skipWithoutSandbox } from "../confinement/testing/sandbox.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import { describeWorkspaces } from "./port/workspaces.contract.ts";

const path = process.env["PATH"] ?? "";

describeWorkspaces(
  "git in a sandbox",
  (root) => openWorkspaces({ root, path, timers: systemTimers, confinement: openSandbox([]) }),
  skipWithout("git") || skipWithoutSandbox(),
);
