/** Settings that change while the server runs, put together. Part of compose.ts, and imported by it alone. */
import { refuse, type Dispatch, type Fault } from "@atrium/core";
import type { HttpAccess } from "../../access/http-access.ts";
import type { PreparedRoster, ReadKey } from "../../agents/roster.ts";
import type { HttpApp } from "../../http/api.ts";
import { bodyLimitsOf } from "../../http/body-limits.ts";
import { clock, ids } from "../../platform/system-clock.ts";
import type { GatewayExtension } from "../../rooms/gateway/extension.ts";
import { answererOf } from "../../rooms/gateway/frames/answerers.ts";
import type { GatewayCaller } from "../../rooms/gateway/frames/peer.ts";
import { settingsMethods } from "../../rooms/settings/inbound/methods.ts";
import { createSettingsRoom } from "../../rooms/settings/room.ts";
import { createChangeKeys, type ChangeKeys } from "../../settings/live/change-keys.ts";
import {
  createChangeSettings,
  type ChangeSettings,
  type PreparedChange,
} from "../../settings/live/change-settings.ts";
import { listFixed } from "../../settings/live/fixed-settings.ts";
import { publicSettings } from "../../settings/public-settings.ts";
import type { Config, ProcessInputs } from "../../settings/read-config.ts";
import { ConfigFile } from "../../settings/table.ts";
import type { Previews } from "../workshop/previews.ts";
import type { GivenOptions, LiveSettings } from "./live-options.ts";

interface SettingsPart {
  readonly apps: readonly HttpApp[];
  readonly extension: GatewayExtension;
  readonly recover?: () => Promise<void>;
}

export interface SettingsSurface extends LiveSettings, Pick<GivenOptions, "readEnv"> {
  readonly inputs: ProcessInputs;
  readonly version: string;
  readonly report: (fault: Fault) => void;
}

export interface SettingsParts {
  /** `chain`: the log, where several nodes write it. */
  readonly state: { readonly dispatch: Dispatch; readonly chain: unknown };
  readonly prepare: (next: Config, readKey: ReadKey) => Promise<PreparedRoster>;
  readonly workshop: { readonly previews: Pick<Previews, "prepare"> };
  readonly onChange: () => Promise<void>;
}

export function composeSettings(
  { config, inputs, live, keys, readEnv, readKey, version, report }: SettingsSurface,
  { state, prepare, workshop, onChange }: SettingsParts,
  access: HttpAccess,
): SettingsPart {
  const { dispatch } = state;
  const changes = createChangeSettings({
    dispatch,
    live,
    inputs,
    newId: () => ids.next(),
    prepare: (next) =>
      prepareAll([() => prepare(next, readKey), () => workshop.previews.prepare(next)]),
    onChange,
  });
  const changeKeys = createChangeKeys({
    dispatch,
    keys,
    readEnv,
    settings: config,
    prepare: (read) => prepare(config, read),
  });
  const isAlone = state.chain === undefined;
  const deps = {
    settings: () => publicSettings(config),
    fixed: () => listFixed(inputs, isAlone),
    schema: Object.fromEntries(Object.entries(ConfigFile)),
    version,
    now: () => clock.now(),
    changes: isAlone ? changes : sharedChanges,
    keys: isAlone ? changeKeys : { ...changeKeys, ...sharedKeys },
  };
  const body = bodyLimitsOf(config.limits);
  const methods = settingsMethods<GatewayCaller>(deps, ({ member }) => answererOf(member));
  return {
    apps: [createSettingsRoom({ ...deps, access, report, body })],
    extension: { methods: Object.values(methods), connect: () => undefined },
    ...(isAlone && { recover: () => changes.recover() }),
  };
}

/** All of them, or none. */
async function prepareAll(
  all: readonly (() => Promise<PreparedChange>)[],
): Promise<PreparedChange> {
  const made: PreparedChange[] = [];
  const discard = async (): Promise<void> => {
    for (const each of made) await each.discard();
  };
  try {
    for (const prepare of all) made.push(await prepare());
  } catch (cause) {
    await discard();
    throw cause;
  }
  return { commit: () => made.forEach((each) => each.commit()), discard };
}

const SEVERAL =
  "several nodes serve this log; change the settings file of each node and restart it";
const refuseShared = async () => refuse("settings.fixed", SEVERAL);
const sharedChanges: Pick<ChangeSettings, "change"> = { change: refuseShared };
const sharedKeys: Pick<ChangeKeys, "set" | "remove"> = { set: refuseShared, remove: refuseShared };
