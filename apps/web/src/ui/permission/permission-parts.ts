/** What belongs to a permission beside what would be done. Pure. */
import type { PermissionSubject } from "@atrium/wire";
import type { Texts } from "../../i18n/texts.ts";

/** As the gateway names the verdicts. */
export const DECISIONS = { allow: "allow-once", always: "allow-always", deny: "deny" } as const;

export interface PermissionFact {
  readonly label: string;
  readonly value: string;
}

export function factsOf(
  { tool, cwd, host, node_id }: PermissionSubject,
  agent: string,
  words: Texts["permission"],
): readonly PermissionFact[] {
  return [
    { label: words.agent, value: agent },
    { label: words.tool, value: tool },
    { label: words.folder, value: cwd ?? words.noFolder },
    { label: words.host, value: host ?? node_id ?? words.thisHost },
  ].filter(({ value }) => value !== "");
}

export interface PermissionPart {
  readonly label: string;
  readonly text: string;
}

export function moreOf(
  permission: PermissionSubject | undefined,
  words: Texts["permission"],
): readonly PermissionPart[] {
  const { writes = [], warning = "", details = "" } = permission ?? {};
  return [
    ...writes.map(({ path, text }) => ({ label: `${words.writes}: ${path}`, text })),
    ...(warning === "" ? [] : [{ label: words.warning, text: warning }]),
    ...(details === "" ? [] : [{ label: words.details, text: details }]),
  ];
}
