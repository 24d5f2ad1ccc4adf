/** All of what a permission is asked for, as a person reads it in a terminal: nothing is cut, and nothing is unseen. */
import type { EventPayloads } from "@atrium/client";
import { visibleText } from "@atrium/wire";
import type { Paint } from "../../terminal/paint.ts";

export type PendingPermission = EventPayloads["exec.approval.requested"];

export function describePermission(
  { request, permission }: PendingPermission,
  paint: Paint,
): string {
  const { tool, cwd, host, node_id: node, writes = [], warning, details } = permission;
  // Where the parts are only a beginning, the request has all of it.
  const input = permission.is_whole
    ? permission.input
    : [request.command, request.warningText ?? ""].filter((text) => text !== "").join("\n\n");
  const about: readonly (readonly [string, string | null | undefined])[] = [
    ["tool", tool],
    ["agent", request.agentId],
    ["folder", cwd],
    ["machine", host],
    ["node", node],
    ["conversation", request.sessionKey],
    ["says", permission.is_whole ? details : undefined],
    ["careful", permission.is_whole ? warning : undefined],
  ];
  const lines = about.flatMap(([name, value]) =>
    value === undefined || value === null || value === ""
      ? []
      : [`  ${paint.quiet(name.padEnd(WIDTH))}  ${indented(value, WIDTH + 4)}`],
  );
  const written = writes.map(
    ({ path, text }) => `  ${paint.quiet("writes".padEnd(WIDTH))}  ${path}\n${barred(text, paint)}`,
  );
  return [...lines, barred(input, paint), ...written].map((line) => `${line}\n`).join("");
}

const WIDTH = "conversation".length;

/** A bar beside every line, so that a request cannot imitate our own text. */
function barred(text: string, paint: Paint): string {
  return visibleText(text)
    .split("\n")
    .map((line) => `  ${paint.doubtful("│")} ${line}`)
    .join("\n");
}

function indented(text: string, by: number): string {
  return visibleText(text).replaceAll("\n", `\n${" ".repeat(by)}`);
}
