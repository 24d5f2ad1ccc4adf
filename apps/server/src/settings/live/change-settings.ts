/**
 * The one way in which settings change while the server runs:
 *
 *   patch -> may it change now? -> edits of the file's text -> the checks of a start -> runtimes made
 *         -> new text on the disk, beside the file -> entry in the log, with who did it -> file replaced -> in effect
 *
 * One after the other. A refusal at any step leaves everything as it was. The entry comes before the file,
 * so that nothing takes effect that nobody is known to have done; a file that then cannot be replaced is
 * told to the log too (docs/decisions/0053). Where several nodes serve one log the one that directs makes the change,
 * and the others take it over into their files when they read of it (docs/decisions/0057).
 */
import {
  accept,
  refuse,
  settings,
  type Answerer,
  type Dispatch,
  type Outcome,
  type SettingChange,
} from "@atrium/core";
import type { AtDirector } from "../../cluster/at-director.ts";
import { publicSettings, type PublicSettings } from "../public-settings.ts";
import type { LiveConfig } from "./live-config.ts";
import type { SettingsEdit } from "./plan-change.ts";
import type { ReadyChange, SettingsInEffect } from "./settings-in-effect.ts";
import type { SharedChanges } from "./shared-changes.ts";
import { LOST, type TakeOver } from "./take-over.ts";
import { patchTowards, replaceAt } from "./whole-settings.ts";

type Once = Parameters<Dispatch>[3];

/** The id of the only stream. */
export const SERVER = "server";

export interface SettingsDeps {
  readonly dispatch: Dispatch;
  readonly live: Pick<LiveConfig, "config">;
  readonly inEffect: SettingsInEffect;
  readonly newId: () => string;
  /** One after the other, whatever else changes what is in effect. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** After it took effect. */
  readonly onChange: () => Promise<void>;
  readonly atDirector: AtDirector;
  /** Where other nodes make changes too. */
  readonly openShared: (() => Promise<SharedChanges>) | undefined;
  /** What they changed; undefined with one node. */
  readonly takeOver: Pick<TakeOver, "catchUp" | "follow"> | undefined;
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

/** For the node that makes it. */
interface ChangeRequest {
  readonly changeId: string;
  /** The newest change that the settings had which it is about; left out: whatever they are. */
  readonly builtOn?: string | null;
  /** Left out: it is in the shared folder. */
  readonly change?: SettingsEdit;
  /** What it changes in the file of the node that was asked; an earlier release does not say. */
  readonly differing?: readonly SettingChange[];
}

export interface ChangedSettings {
  /** Where; empty: everything was so already. */
  readonly changed: readonly string[];
}

export interface ChangeSettings {
  change(wanted: SettingsWish, by: Answerer, once?: Once): Promise<Outcome<ChangedSettings>>;
  /** Tells the log what the file is, once the server has started; among other nodes, takes over what it missed. */
  recover(): Promise<void>;
}

export function createChangeSettings(deps: SettingsDeps): ChangeSettings {
  const { dispatch, live, inEffect, newId, inTurn, takeOver } = deps;
  const openShared = async (): Promise<SharedChanges | undefined> => deps.openShared?.();

  async function recover(): Promise<void> {
    const digest = await inTurn(() => inEffect.open());
    if (takeOver !== undefined) await takeOver.follow();
    else await inTurn(() => dispatch(settings, SERVER, { type: "find", digest }));
  }

  async function make(
    { changeId, builtOn, change, differing = [] }: ChangeRequest,
    by: Answerer,
    once?: Once,
  ): Promise<Outcome<ChangedSettings>> {
    const shared = await openShared();
    const caughtUp = shared && (await takeOver?.catchUp(shared));
    if (caughtUp?.ok === false) return caughtUp;
    if (builtOn !== undefined && builtOn !== shared?.newest) return CHANGED;
    const wanted = change ?? (await shared?.read(changeId));
    if (wanted === undefined) return LOST;
    // Whoever is to be removed may be gone here, and in the file that it is about be there still.
    const ready = await inEffect.ready(wanted, differing.length > 0);
    if (!ready.ok) return ready;
    if (ready.value === undefined && differing.length === 0) return accept({ changed: [] });
    const written = await ready.value?.write();
    if (written?.ok === false) return written;
    const entry = await entryOf(ready.value, differing, inEffect);
    const command = { type: "change", changeId, by, ...entry } as const;
    const done = await dispatch(settings, SERVER, command, once);
    const changed = entry.changes.map(({ path }) => path);
    if (!done.ok || done.value.repeated) {
      await written?.value.discard();
      return done.ok ? accept({ changed }) : done;
    }
    const problem = await written?.value.take();
    if (problem === undefined) {
      await shared?.pass({ seq: done.value.position.seq, changeId });
      if (written !== undefined) await deps.onChange();
      return accept({ changed });
    }
    if (shared === undefined || takeOver === undefined) {
      await dispatch(settings, SERVER, { type: "revert", changeId, reason: problem });
      return refuse("settings.unwritable", problem);
    }
    // The log has it: this node takes it over as any other does, from the file as it is by now.
    const taken = await takeOver.catchUp(shared);
    return taken.ok ? accept({ changed }) : refuse(taken.code, `${problem}; ${OTHERS}`);
  }

  const makeAtDirector = deps.atDirector("settings.change", (...asked: Parameters<typeof make>) =>
    inTurn(() => make(...asked)),
  );
  return {
    recover,
    async change(wanted, by, once) {
      const changeId = newId();
      const shared = await openShared();
      await takeOver?.follow();
      // What is shown, and by which change it came to be, belong together.
      const request = await inTurn(() => requestOf(wanted, shared));
      if (!request.ok) return request;
      const { change, ...rest } = request.value;
      if (shared === undefined) return makeAtDirector({ changeId, change }, by, once);
      await shared.keep(changeId, change);
      const done = await makeAtDirector({ changeId, ...rest }, by, once);
      // Whoever asked sees what it made, here too.
      await takeOver?.follow();
      return done;
    },
  };

  async function requestOf(wanted: SettingsWish, shared: SharedChanges | undefined) {
    const patch = patchOf(wanted, publicSettings(live.config));
    if (!patch.ok) return patch;
    const change = { patch: patch.value, unitePaths: wanted.unitePaths ?? [] };
    if (shared === undefined) return accept({ change });
    const builtOn = wanted.baseHash === undefined ? {} : { builtOn: shared.newest };
    return accept({ change, ...builtOn, differing: await inEffect.differing(change) });
  }
}

const CHANGED = refuse("guard.broken", "the settings were changed since you read them");
const OTHERS =
  "the other nodes have the change, this one takes it over once the file can be written";

/** What it changes here, and what it changes besides where it was asked for: files of nodes may differ. */
async function entryOf(
  ready: ReadyChange | undefined,
  differing: readonly SettingChange[],
  inEffect: SettingsInEffect,
): Promise<Pick<ReadyChange, "changes" | "before" | "after">> {
  if (ready === undefined) {
    const digest = await inEffect.digest();
    return { changes: differing, before: digest, after: digest };
  }
  const { changes, before, after } = ready;
  const here = new Set(changes.map(({ path }) => path));
  return {
    changes: [...changes, ...differing.filter(({ path }) => !here.has(path))],
    before,
    after,
  };
}

/** As a patch of what is shown now. */
function patchOf(wanted: SettingsWish, { hash, values }: PublicSettings): Outcome<Fields> {
  const { baseHash } = wanted;
  if (baseHash !== undefined && baseHash !== hash) return CHANGED;
  if ("patch" in wanted) return replaceAt(values, wanted.patch, wanted.replacePaths ?? []);
  if (baseHash === undefined) {
    return refuse("params.invalid", "baseHash: it is needed for all settings; config.get has it");
  }
  return patchTowards(values, wanted.whole);
}
