/**
 * Where a preset cannot hold as it says: a program that asks about no single tool. Its agent asks once before each turn
 * instead. The page and the command line say so.
 */
import type { ConnectRequest } from "./connect-patch.ts";

const ASKS_ABOUT_NO_TOOL: ReadonlySet<unknown> = new Set(["cline"]);

export function isAskedPerTurn({
  runtime,
  permissions,
}: Pick<ConnectRequest, "runtime" | "permissions">): boolean {
  const tellsToolsApart = permissions === "ask" || permissions === "edit";
  return tellsToolsApart && ASKS_ABOUT_NO_TOOL.has(runtime["type"]);
}
