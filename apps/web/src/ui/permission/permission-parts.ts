/** What belongs to a permission beside what would be done. Pure. */
import type { PermissionSubject } from "@atrium/wire";
import type { Texts } from "../../i18n/texts.ts";

export interface PermissionFact {
  readonly label: string;
  readonly value: string;
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
