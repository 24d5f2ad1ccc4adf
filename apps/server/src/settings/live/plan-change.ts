/** What a change would make of the settings file, and what that means. Nothing is written here. */
import { accept, refuse, type Outcome, type Refusal } from "@atrium/core";
import { editJson } from "@atrium/wire";
import { ConfigError } from "../../platform/config-error.ts";
import { parseSettings, rereadConfig, type Config, type ProcessInputs } from "../read-config.ts";
import { findFixed } from "./fixed-settings.ts";
import { planEdits, uniteAt, type PlannedEdit } from "./settings-patch.ts";

export interface SettingsEdit {
  /** A JSON merge patch. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** Places of lists that are united with what the file has there. */
  readonly unitePaths: readonly string[];
}

export interface ChangePlan {
  readonly edits: readonly PlannedEdit[];
  readonly text: string;
  readonly next: Config;
}

/** The file's text, and how it comes to be. */
export interface PlanInputs {
  readonly old: string;
  readonly path: string;
  readonly inputs: ProcessInputs;
  /** It was made elsewhere already: whoever it removes may be gone. */
  readonly isRepeated?: boolean;
}

export function planChange(
  { patch, unitePaths }: SettingsEdit,
  { old, path, inputs, isRepeated = false }: PlanInputs,
): Outcome<ChangePlan> {
  let file: ReturnType<typeof parseSettings>;
  try {
    file = parseSettings(old, path);
  } catch (cause) {
    if (cause instanceof ConfigError) return unreadable(cause);
    throw cause;
  }
  const planned = planEdits(file, uniteAt(file, patch, unitePaths), isRepeated);
  if (!planned.ok) return planned;
  const edits = planned.value;
  const fixed = findFixed(edits, path, inputs);
  if (fixed !== undefined) return refuse("settings.fixed", fixed);
  const text = edits.reduce(editJson, old);
  try {
    return accept({ edits, text, next: rereadConfig(inputs, path, text) });
  } catch (cause) {
    return invalid(cause);
  }
}

/** What the checks of a start say is an answer; anything else is a fault. */
export function invalid(cause: unknown): Refusal {
  if (cause instanceof ConfigError) return refuse("settings.invalid", cause.message);
  throw cause;
}

export function unreadable(cause: unknown): Refusal {
  return refuse("settings.unreadable", messageOf(cause));
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
