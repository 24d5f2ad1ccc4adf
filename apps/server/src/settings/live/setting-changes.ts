/** What of a change may be kept in the log and shown: no arguments, no addresses with passwords, no tokens. */
import type { SettingChange } from "@atrium/core";
import { own } from "@atrium/wire";
import { fieldsOf, type Fields } from "../../agents/turn/json-fields.ts";
import { publicSettings } from "../public-settings.ts";
import type { Config } from "../read-config.ts";
import { SETTINGS } from "../table.ts";
import type { PlannedEdit } from "./settings-patch.ts";

/** Of runtimes and agents the whole of each one that changed, as it is then shown. */
export function describeChanges(
  edits: readonly PlannedEdit[],
  next: Config,
): readonly SettingChange[] {
  const { values } = publicSettings(next);
  const changes = edits.flatMap(({ names, value }): readonly SettingChange[] => {
    const [part = "", name] = names;
    if (part !== "runtimes" && part !== "agents") {
      return [changeOf(names.join("."), isPublic(part) ? value : undefined)];
    }
    const touched = name === undefined ? Object.keys(fieldsOf(value)) : [name];
    if (touched.length === 0) return [{ path: part }];
    return touched.map((each) => changeOf(`${part}.${each}`, namedIn(values, part, each)));
  });
  return [...new Map(changes.map((change) => [change.path, change])).values()];
}

function changeOf(path: string, value: unknown): SettingChange {
  return value === undefined ? { path } : { path, value };
}

function isPublic(part: string): boolean {
  const row = own(SETTINGS, part);
  return row !== undefined && "isPublic" in row;
}

function namedIn(values: Fields, part: "runtimes" | "agents", name: string): unknown {
  if (part === "runtimes") return own(fieldsOf(own(values, part)), name);
  const crew = own(values, "crew");
  return Array.isArray(crew) ? crew.find((row) => own(fieldsOf(row), "id") === name) : undefined;
}
