/**
 * The one way in which settings change while the server runs:
 *
 *   patch -> may it change now? -> edits of the file's text -> the checks of a start -> runtimes made
 *         -> entry in the log, with who did it -> file replaced -> in effect
 *
 * One after the other. A refusal at any step leaves everything as it was. The entry comes before the file,
 * so that nothing takes effect that nobody is known to have done; a file that then cannot be written is
 * told to the log too (docs/decisions/0053). Where several nodes serve one log the one that directs makes the change,
 * and the others take it over into their files when they read of it (docs/decisions/0057).
 */
import { accept, refuse, settings, type Answerer, type Dispatch, type Outcome } from "@atrium/core";
import type { AtDirector } from "../../cluster/at-director.ts";
import { publicSettings, type PublicSettings } from "../public-settings.ts";
import type { LiveConfig } from "./live-config.ts";
import type { SettingsEdit } from "./plan-change.ts";
import type { SettingsInEffect } from "./settings-in-effect.ts";
import type { SharedChanges } from "./shared-changes.ts";
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
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
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
}

export interface ChangedSettings {
  /** Where; empty: everything was so already. */
  readonly changed: readonly string[];
}

export interface ChangeSettings {
  change(wanted: SettingsWish, by: Answerer, once?: Once): Promise<Outcome<ChangedSettings>>;
  /** Takes over what other nodes changed. */
  follow(): Promise<void>;
  /** Tells the log what the file is, once the server has started; among other nodes, takes over what it missed. */
  recover(): Promise<void>;
}

export function createChangeSettings(deps: SettingsDeps): ChangeSettings {
  const { dispatch, live, inEffect, newId, inTurn, onChange } = deps;
  const openShared = async (): Promise<SharedChanges | undefined> => deps.openShared?.();

  async function recover(): Promise<void> {
    const digest = await inEffect.open();
    const shared = await openShared();
    if (shared === undefined) await dispatch(settings, SERVER, { type: "find", digest });
    else await catchUp(shared, deps);
  }

  async function make(
    { changeId, builtOn, change }: ChangeRequest,
    by: Answerer,
    once?: Once,
  ): Promise<Outcome<ChangedSettings>> {
    const shared = await openShared();
    const caughtUp = shared === undefined ? accept(undefined) : await catchUp(shared, deps);
    if (!caughtUp.ok) return caughtUp;
    if (builtOn !== undefined && builtOn !== shared?.newest) return CHANGED;
    const wanted = change ?? (await shared?.read(changeId));
    if (wanted === undefined) return LOST;
    const ready = await inEffect.ready(wanted);
    if (!ready.ok) return ready;
    if (ready.value === undefined) return accept({ changed: [] });
    const { changes, before, after, take, discard } = ready.value;
    const changed = changes.map(({ path }) => path);
    const entry = { changeId, changes, by, before, after };
    const done = await dispatch(settings, SERVER, { type: "change", ...entry }, once);
    if (!done.ok || done.value.repeated) {
      await discard();
      return done.ok ? accept({ changed }) : done;
    }
    const problem = await take();
    if (problem !== undefined) {
      if (shared !== undefined) return refuse("settings.unwritable", `${problem}; ${OTHERS}`);
      await dispatch(settings, SERVER, { type: "revert", changeId, reason: problem });
      return refuse("settings.unwritable", problem);
    }
    await shared?.pass({ seq: done.value.position.seq, changeId });
    await onChange();
    return accept({ changed });
  }

  const follow = (): Promise<void> =>
    inTurn(async () => {
      const shared = await openShared();
      if (shared !== undefined) await catchUp(shared, deps);
    });
  const makeAtDirector = deps.atDirector("settings.change", (...asked: Parameters<typeof make>) =>
    inTurn(() => make(...asked)),
  );
  return {
    recover: () => inTurn(recover),
    follow,
    async change(wanted, by, once) {
      const patch = patchOf(wanted, publicSettings(live.config));
      if (!patch.ok) return patch;
      const change = { patch: patch.value, unitePaths: wanted.unitePaths ?? [] };
      const changeId = newId();
      const shared = await openShared();
      if (shared === undefined) return makeAtDirector({ changeId, change }, by, once);
      const builtOn = wanted.baseHash === undefined ? {} : { builtOn: shared.newest };
      await shared.keep(changeId, change);
      const done = await makeAtDirector({ changeId, ...builtOn }, by, once);
      // Whoever asked sees what it made, here too.
      await follow();
      return done;
    },
  };
}

const CHANGED = refuse("guard.broken", "the settings were changed since you read them");
const OTHERS =
  "the other nodes have the change, this one takes it over once the file can be written";
const LOST = refuse("settings.invalid", "the shared folder does not have this change");

/** What other nodes changed, one after the other; what cannot be in effect here is passed over, and noted. */
async function catchUp(
  shared: SharedChanges,
  { inEffect, onChange, note }: Pick<SettingsDeps, "inEffect" | "onChange" | "note">,
): Promise<Outcome<void>> {
  for (const { seq, changeId, change } of await shared.missed()) {
    const taken = change === undefined ? LOST : await takeOver(change, inEffect);
    if (!taken.ok) {
      const { code, detail: why } = taken;
      note("a change of settings was not taken over", { changeId, code, why });
      // What is the matter with the file may pass.
      if (code === "settings.unreadable" || code === "settings.unwritable") return taken;
    }
    await shared.pass({ seq, changeId });
    if (taken.ok) await onChange();
  }
  return accept(undefined);
}

async function takeOver(change: SettingsEdit, inEffect: SettingsInEffect): Promise<Outcome<void>> {
  const ready = await inEffect.ready(change, true);
  if (!ready.ok) return ready;
  const problem = await ready.value?.take();
  return problem === undefined ? accept(undefined) : refuse("settings.unwritable", problem);
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
