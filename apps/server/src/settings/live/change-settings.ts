/**
 * The one way in which settings change while the server runs:
 *
 *   patch -> may it change now? -> edits of the file's text -> the checks of a start -> runtimes made
 *         -> entry in the log, with who did it -> file replaced -> in effect
 *
 * One after the other. A refusal at any step leaves everything as it was. The entry comes before the file,
 * so that nothing takes effect that nobody is known to have done; a file that then cannot be written is
 * told to the log too (docs/decisions/0053).
 */
import { join } from "node:path";
import {
  accept,
  refuse,
  settings,
  type Answerer,
  type Dispatch,
  type Outcome,
  type Refusal,
} from "@atrium/core";
import { editJson } from "@atrium/wire";
import { ConfigError } from "../../platform/config-error.ts";
import { publicSettings, type PublicSettings } from "../public-settings.ts";
import { parseSettings, rereadConfig, type Config, type ProcessInputs } from "../read-config.ts";
import { findFixed } from "./fixed-settings.ts";
import { LIVE_PARTS, type LiveConfig, type LivePart } from "./live-config.ts";
import { describeChanges } from "./setting-changes.ts";
import { digestOf, readSettingsText, replaceSettingsText, sweepDrafts } from "./settings-file.ts";
import { planEdits, uniteAt, type PlannedEdit } from "./settings-patch.ts";
import { patchTowards, replaceAt } from "./whole-settings.ts";

type Once = Parameters<Dispatch>[3];

/** The id of the only stream. */
export const SERVER = "server";

export interface PreparedChange {
  readonly commit: () => void;
  readonly discard: () => Promise<void>;
}

export interface SettingsDeps {
  readonly dispatch: Dispatch;
  readonly live: LiveConfig;
  readonly inputs: ProcessInputs;
  readonly newId: () => string;
  /** Makes what the crew needs under these settings; throws a ConfigError where that is impossible. */
  readonly prepare: (next: Config) => Promise<PreparedChange>;
  /** After it took effect. */
  readonly onChange: () => Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

interface Wish {
  /** Places of lists that are united with what the file has there. */
  readonly unitePaths?: readonly string[] | undefined;
  /** Of the settings as they were shown; left out: whatever they are. */
  readonly baseHash?: string | undefined;
}

export interface SettingsPatch extends Wish {
  readonly patch: Fields;
  /** Places of the patch that are replaced, not merged. */
  readonly replacePaths?: readonly string[] | undefined;
}

/** All settings as they were shown, changed. */
interface WholeSettings extends Wish {
  readonly whole: Fields;
}

export type SettingsWish = SettingsPatch | WholeSettings;

export interface ChangedSettings {
  /** Where; empty: everything was so already. */
  readonly changed: readonly string[];
}

export interface ChangeSettings {
  change(wanted: SettingsWish, by: Answerer, once?: Once): Promise<Outcome<ChangedSettings>>;
  /** Tells the log what the file is, once the server has started. */
  recover(): Promise<void>;
}

export function createChangeSettings(deps: SettingsDeps): ChangeSettings {
  const { dispatch, live, inputs } = deps;
  const path = live.config.file ?? join(live.config.home, "atrium.config.json");
  /** The text that is in effect; it may have been changed by hand since. */
  let applied: string | undefined;

  async function recover(): Promise<void> {
    await sweepDrafts(path);
    const { text, digest } = await readSettingsText(path);
    applied = text ?? EMPTY;
    await dispatch(settings, SERVER, { type: "find", digest });
  }

  async function change(
    wanted: SettingsWish,
    by: Answerer,
    once?: Once,
  ): Promise<Outcome<ChangedSettings>> {
    const patch = patchOf(wanted, publicSettings(live.config));
    if (!patch.ok) return patch;
    const file = await readSettingsText(path).catch((cause: unknown) =>
      unreadable(messageOf(cause)),
    );
    if ("ok" in file) return file;
    const old = file.text ?? EMPTY;
    const plan = planChange(old, { ...wanted, patch: patch.value }, path, inputs);
    if (!plan.ok) return plan;
    const { edits, text, next } = plan.value;
    if (edits.length === 0) return accept({ changed: [] });
    const parts = partsThatDiffer(rereadConfig(inputs, path, applied ?? old), next);
    const changes = describeChanges(edits, next);
    const prepared = await attempt(() => deps.prepare(next));
    if (!prepared.ok) return prepared;
    const { commit, discard } = prepared.value;
    const changeId = deps.newId();
    const entry = { changeId, changes, by, before: file.digest, after: digestOf(text) };
    const done = await dispatch(settings, SERVER, { type: "change", ...entry }, once);
    if (!done.ok || done.value.repeated) {
      await discard();
      return done.ok ? accept({ changed: changes.map((each) => each.path) }) : done;
    }
    const problem = await writeFile(text, file.digest);
    if (problem !== undefined) {
      await discard();
      await dispatch(settings, SERVER, { type: "revert", changeId, reason: problem });
      return refuse("settings.unwritable", problem);
    }
    applied = text;
    live.replace(next, parts);
    commit();
    await deps.onChange();
    return accept({ changed: changes.map((each) => each.path) });
  }

  async function writeFile(text: string, before: string | null): Promise<string | undefined> {
    try {
      if (await replaceSettingsText(path, text, before)) return undefined;
      return `${path} was changed by someone else at the same time; try again`;
    } catch (cause) {
      return `${path}: ${messageOf(cause)}`;
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    recover,
    change(...asked) {
      const result = last.then(() => change(...asked));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

const EMPTY = "{}\n";

interface ChangePlan {
  readonly edits: readonly PlannedEdit[];
  readonly text: string;
  readonly next: Config;
}

/** As a patch of what is shown now. */
function patchOf(wanted: SettingsWish, { hash, values }: PublicSettings): Outcome<Fields> {
  const { baseHash } = wanted;
  if (baseHash !== undefined && baseHash !== hash) {
    return refuse("guard.broken", "the settings were changed since you read them");
  }
  if ("patch" in wanted) return replaceAt(values, wanted.patch, wanted.replacePaths ?? []);
  if (baseHash === undefined) {
    return refuse("params.invalid", "baseHash: it is needed for all settings; config.get has it");
  }
  return patchTowards(values, wanted.whole);
}

/** What the file would say, and what that means. */
function planChange(
  old: string,
  { patch, unitePaths = [] }: Pick<SettingsPatch, "patch" | "unitePaths">,
  path: string,
  inputs: ProcessInputs,
): Outcome<ChangePlan> {
  let file: ReturnType<typeof parseSettings>;
  try {
    file = parseSettings(old, path);
  } catch (cause) {
    if (cause instanceof ConfigError) return unreadable(cause.message);
    throw cause;
  }
  const planned = planEdits(file, uniteAt(file, patch, unitePaths));
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

async function attempt<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return accept(await work());
  } catch (cause) {
    return invalid(cause);
  }
}

function invalid(cause: unknown): Refusal {
  if (cause instanceof ConfigError) return refuse("settings.invalid", cause.message);
  throw cause;
}

function unreadable(why: string): Refusal {
  return refuse("settings.unreadable", why);
}

function partsThatDiffer(one: Config, other: Config): readonly LivePart[] {
  return LIVE_PARTS.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
