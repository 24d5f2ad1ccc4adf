/** Which settings do not follow a change while the server runs, and what to do instead. */
import { readGiven, type ProcessInputs } from "../read-config.ts";
import { settingsIn, type Setting } from "../setting.ts";
import { SETTINGS } from "../table.ts";
import type { PlannedEdit } from "./settings-patch.ts";

const ROWS: ReadonlyMap<string, Setting> = new Map(settingsIn(SETTINGS));

export interface FixedSetting {
  readonly path: string;
  readonly reason: "restart" | "given";
  /** The flag or the variable that sets it. */
  readonly by?: string;
}

/** All that cannot be changed now, for whoever wants to know before they try. */
export function listFixed(inputs: ProcessInputs): readonly FixedSetting[] {
  const given = readGiven(inputs);
  return [...ROWS].flatMap(([path, row]): readonly FixedSetting[] => {
    const by = given(row)?.by;
    if (by !== undefined) return [{ path, reason: "given", by }];
    return row.restart === undefined ? [] : [{ path, reason: "restart" }];
  });
}

/** Of the first that does not; unknown keys are left to the schema, which names them. */
export function findFixed(
  edits: readonly Pick<PlannedEdit, "names">[],
  path: string,
  inputs: ProcessInputs,
): string | undefined {
  const given = readGiven(inputs);
  for (const { names } of edits) {
    const [key = ""] = names;
    const row = ROWS.get(key);
    if (row === undefined) continue;
    const by = given(row)?.by;
    if (by !== undefined) return `${key}: ${by} sets it; restart the server without ${by} first`;
    if (row.restart !== undefined) {
      return `${key}: write it in ${path} and restart the server, because ${row.restart}`;
    }
  }
  return undefined;
}
