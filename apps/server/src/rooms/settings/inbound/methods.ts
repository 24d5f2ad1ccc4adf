/** How settings are read and changed, at the gateway and over plain HTTP alike. */
import { accept, refuse, type Answerer, type Outcome } from "@atrium/core";
import { parseJson, type ResultOf } from "@atrium/wire";
import {
  configApply,
  configPatch,
  configSchema,
  configSet,
  settingsGet,
  settingsKeyRemove,
  settingsKeySet,
  settingsPatch,
} from "@atrium/wire/gateway";
import { implement, type Caller, type Method } from "../../../pipeline/method-router.ts";
import type { ChangeKeys } from "../../../settings/live/change-keys.ts";
import type { ChangeSettings, SettingsWish } from "../../../settings/live/change-settings.ts";
import type { FixedSetting } from "../../../settings/live/fixed-settings.ts";
import type { PublicSettings } from "../../../settings/public-settings.ts";

export interface SettingsMethodDeps {
  readonly settings: () => PublicSettings;
  /** What does not change while the server runs. */
  readonly fixed: () => readonly FixedSetting[];
  /** Of the settings file. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly version: string;
  readonly now: () => number;
  readonly changes: Pick<ChangeSettings, "change">;
  readonly keys: Pick<ChangeKeys, "set" | "remove" | "list">;
}

export interface SettingsMethods<Who extends Caller> {
  readonly get: Method<Who>;
  readonly patch: Method<Who>;
  readonly keySet: Method<Who>;
  readonly keyRemove: Method<Who>;
  readonly peerPatch: Method<Who>;
  readonly peerSet: Method<Who>;
  readonly peerApply: Method<Who>;
  readonly peerSchema: Method<Who>;
}

type SettingsView = ResultOf<typeof settingsGet>;
type KeyList = ResultOf<typeof settingsKeySet>;

export function settingsMethods<Who extends Caller>(
  { settings, fixed, schema, version, now, changes, keys }: SettingsMethodDeps,
  answererOf: (caller: Who) => Answerer,
): SettingsMethods<Who> {
  const listKeys = () => keys.list().map((key) => ({ ...key }));
  const view = (): SettingsView => {
    const { path, exists, hash, values } = settings();
    const listed = { keys: listKeys(), fixed: fixed().map((each) => ({ ...each })) };
    return { path, exists, hash, values: { ...values }, ...listed };
  };
  const keyResult = (done: Outcome<void>): Outcome<KeyList> =>
    done.ok ? accept({ keys: listKeys() }) : done;

  async function write(
    raw: string,
    caller: Who,
    wishOf: (given: Record<string, unknown>) => SettingsWish,
  ): Promise<Outcome<ResultOf<typeof configPatch>>> {
    const given = readObject(raw);
    if (!given.ok) return given;
    const done = await changes.change(wishOf(given.value), answererOf(caller));
    if (!done.ok) return done;
    const { path, hash, values } = settings();
    const noop = done.value.changed.length === 0 ? { noop: true as const } : {};
    return accept({ ok: true as const, ...noop, path, hash, config: { ...values } });
  }

  return {
    get: implement<typeof settingsGet, Who>(settingsGet, () => accept(view())),

    patch: implement<typeof settingsPatch, Who>(
      settingsPatch,
      async ({ patch, baseHash, unitePaths }, { caller, key }) => {
        const wanted = { patch, baseHash, unitePaths };
        const done = await changes.change(wanted, answererOf(caller), key);
        if (!done.ok) return done;
        return accept({ changed: [...done.value.changed], settings: view() });
      },
    ),

    keySet: implement<typeof settingsKeySet, Who>(
      settingsKeySet,
      async ({ name, value }, { caller }) =>
        keyResult(await keys.set(name, value, answererOf(caller))),
    ),

    keyRemove: implement<typeof settingsKeyRemove, Who>(
      settingsKeyRemove,
      async ({ name }, { caller }) => keyResult(await keys.remove(name, answererOf(caller))),
    ),

    peerPatch: implement<typeof configPatch, Who>(
      configPatch,
      ({ raw, baseHash, replacePaths }, { caller }) =>
        write(raw, caller, (patch) => ({ patch, baseHash, replacePaths })),
    ),

    peerSet: implement<typeof configSet, Who>(configSet, ({ raw, baseHash }, { caller }) =>
      write(raw, caller, (whole) => ({ whole, baseHash })),
    ),

    peerApply: implement<typeof configApply, Who>(configApply, ({ raw, baseHash }, { caller }) =>
      write(raw, caller, (whole) => ({ whole, baseHash })),
    ),

    peerSchema: implement<typeof configSchema, Who>(configSchema, () =>
      accept({
        schema: { ...schema },
        uiHints: {},
        version,
        generatedAt: new Date(now()).toISOString(),
      }),
    ),
  };
}

function readObject(raw: string): Outcome<Record<string, unknown>> {
  const value = parseJson(raw);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("params.invalid", "raw: it is not a JSON object");
  }
  return accept(Object.fromEntries(Object.entries(value)));
}
