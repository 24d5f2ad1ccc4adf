/**
 * Settings: who changed which of them, and what the settings file was before and after.
 *
 *   changed -> (reverted, when the file could not be written) | found, when the file was changed by hand
 *
 * Pure: whether a change is valid, and what the file then says, was worked out before. The entry is
 * written before the file is, so nothing takes effect that nobody is known to have asked for. It has no
 * secret: values come masked, and keys are named only.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Answerer } from "../people/answerer.ts";
import { SETTINGS_EVENTS } from "./settings-shapes.ts";

export interface SettingChange {
  /** Where in the file: `agents.agent_eng_1.name`. */
  readonly path: string;
  /** As it may be shown; left out: the setting was removed. */
  readonly value?: unknown;
}

interface SettingsChange {
  readonly changeId: string;
  readonly changes: readonly SettingChange[];
  readonly by: Answerer;
  /** Digests of the whole file; null: there was none. */
  readonly before: string | null;
  readonly after: string;
}

export type SettingsCommand = TaggedUnion<{
  change: SettingsChange;
  /** The file could not be written. */
  revert: { changeId: string; reason: string };
  /** What the file is when the server starts. */
  find: { digest: string | null };
  "keep-key": { name: string; by: Answerer };
  "remove-key": { name: string; by: Answerer };
}>;

export type SettingsEvent = TaggedUnion<{
  "settings.changed": SettingsChange;
  "settings.reverted": { changeId: string; reason: string };
  "settings.found": { digest: string | null };
  "settings.key_kept": { name: string; by: Answerer };
  "settings.key_removed": { name: string; by: Answerer };
}>;

export interface SettingsState {
  /** Of the file, as far as the log knows; undefined: it says nothing of it yet. */
  readonly digest: string | null | undefined;
  /** The newest change, which may not have reached the file. */
  readonly last: Pick<SettingsChange, "changeId" | "before"> | undefined;
}

const UNFINISHED = "the server ended before the settings file was written";

function decide(state: SettingsState, command: SettingsCommand): Outcome<readonly SettingsEvent[]> {
  switch (command.type) {
    case "change": {
      const { type: _type, ...change } = command;
      if (change.changes.length === 0) return refuse("params.invalid", "nothing is to be changed");
      return accept([{ type: "settings.changed", ...change }]);
    }
    case "revert": {
      const { changeId, reason } = command;
      const isNewest = state.last?.changeId === changeId;
      return accept(isNewest ? [{ type: "settings.reverted", changeId, reason }] : []);
    }
    case "find":
      return accept(find(state, command.digest));
    case "keep-key":
      return accept([{ type: "settings.key_kept", name: command.name, by: command.by }]);
    case "remove-key":
      return accept([{ type: "settings.key_removed", name: command.name, by: command.by }]);
  }
}

/** A file that is as it was before the newest change was never written; any other was changed by hand. */
function find({ digest, last }: SettingsState, found: string | null): readonly SettingsEvent[] {
  if (found === digest || (digest === undefined && found === null)) return [];
  if (last !== undefined && last.before === found) {
    return [{ type: "settings.reverted", changeId: last.changeId, reason: UNFINISHED }];
  }
  return [{ type: "settings.found", digest: found }];
}

function evolve(state: SettingsState, event: SettingsEvent): SettingsState {
  switch (event.type) {
    case "settings.changed": {
      const { changeId, before, after } = event;
      return { digest: after, last: { changeId, before } };
    }
    case "settings.reverted":
      return { digest: state.last?.before, last: undefined };
    case "settings.found":
      return { digest: event.digest, last: undefined };
    case "settings.key_kept":
    case "settings.key_removed":
      return state;
  }
}

export const settings: Aggregate<SettingsState, SettingsCommand, SettingsEvent> = {
  name: "settings",
  initial: { digest: undefined, last: undefined },
  decide,
  evolve,
  ...createCodec<SettingsEvent>(SETTINGS_EVENTS),
};
