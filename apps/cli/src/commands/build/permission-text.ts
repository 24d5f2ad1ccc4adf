/** All of what an agent asks to be allowed, for people who read it in a terminal. */
import type { EventPayloads } from "@atrium/client";

type Permission = Extract<
  EventPayloads["build"],
  { readonly type: "permission.requested" }
>["payload"]["permission"];

export function permissionText(permission: Permission): string {
  const { tool, input, details, cwd, host, warning, writes = [] } = permission;
  return [
    `Allow: ${tool}`,
    indented(input),
    ...(cwd === undefined ? [] : [`in the folder ${cwd}`]),
    ...(host === undefined ? [] : [`on ${host}`]),
    ...(warning === undefined ? [] : [warning]),
    ...(details === undefined ? [] : [details]),
    ...writes.flatMap(({ path, text }) => [`it would write ${path}:`, indented(text)]),
  ].join("\n");
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
