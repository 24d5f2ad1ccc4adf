import { skipWithout } from "../../../../scripts/system-programs.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import { describeWorkspaces } from "./port/workspaces.contract.ts";

const path = process.env["PATH"] ?? "";

describeWorkspaces(
  "git",
  (root) => openWorkspaces({ root, path, timers: systemTimers }),
  skipWithout("git"),
);
