/** Settings that change while the server runs, put together. Part of compose.ts, and imported by it alone. */
import {
  settings as aggregate,
  streamOf,
  Fault,
  type BatchListener,
  type Dispatch,
} from "@atrium/core";
import type { Log } from "@atrium/log";
import type { HttpAccess } from "../../access/http-access.ts";
import type { PreparedRoster, ReadKey } from "../../agents/roster.ts";
import type { Lease } from "../../cluster/cluster.ts";
import type { NodeWarnings } from "../../cluster/node-warnings.ts";
import type { Relay } from "../../cluster/relay.ts";
import type { HttpApp } from "../../http/api.ts";
import { bodyLimitsOf } from "../../http/body-limits.ts";
import type { Home } from "../../platform/home.ts";
import { KeyedQueue } from "../../platform/keyed-queue.ts";
import { clock, ids } from "../../platform/system-clock.ts";
import { systemTimers } from "../../platform/timers.ts";
import type { GatewayExtension } from "../../rooms/gateway/extension.ts";
import { answererOf } from "../../rooms/gateway/frames/answerers.ts";
import type { GatewayCaller } from "../../rooms/gateway/frames/peer.ts";
import { settingsMethods } from "../../rooms/settings/inbound/methods.ts";
import { createSettingsRoom } from "../../rooms/settings/room.ts";
import { createChangeKeys } from "../../settings/live/change-keys.ts";
import { createChangeSettings, SERVER } from "../../settings/live/change-settings.ts";
import { listFixed } from "../../settings/live/fixed-settings.ts";
import { SettingsInEffect, type PreparedChange } from "../../settings/live/settings-in-effect.ts";
import type { SharedChanges } from "../../settings/live/shared-changes.ts";
import { createTakeOver } from "../../settings/live/take-over.ts";
import { publicSettings } from "../../settings/public-settings.ts";
import type { Config, ProcessInputs } from "../../settings/read-config.ts";
import { ConfigFile } from "../../settings/table.ts";
import type { Previews } from "../workshop/previews.ts";
import type { GivenOptions, LiveSettings } from "./live-options.ts";

interface SettingsPart {
  readonly apps: readonly HttpApp[];
  readonly extension: GatewayExtension;
  readonly recover: () => Promise<void>;
  readonly onBatch?: BatchListener;
  readonly directs?: { readonly recover: () => Promise<void> };
  readonly close?: () => void;
}

export interface SettingsSurface extends LiveSettings, Pick<GivenOptions, "readEnv"> {
  readonly inputs: ProcessInputs;
  readonly isFileUsed?: boolean;
  readonly home: Pick<Home, "folder" | "shared" | "newHomeFile">;
  readonly version: string;
  readonly report: (fault: Fault) => void;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

export interface SettingsParts {
  readonly state: {
    readonly direct: Dispatch;
    readonly log: Pick<Log, "read" | "epoch" | "head">;
    /** Defined where several nodes write the log. */
    readonly chain: unknown;
    readonly cluster: { readonly lease: Pick<Lease, "confirm"> };
    readonly relay: Pick<Relay, "changeAtDirector">;
    readonly warnings: NodeWarnings;
  };
  readonly prepare: (next: Config, readKey: ReadKey) => Promise<PreparedRoster>;
  readonly workshop: { readonly previews: Pick<Previews, "prepare"> };
  readonly onChange: () => Promise<void>;
}

const STREAM = streamOf(aggregate, SERVER);

export function composeSettings(
  options: SettingsSurface,
  { state, prepare, workshop, onChange }: SettingsParts,
  access: HttpAccess,
): SettingsPart {
  const { config, inputs, live, keys, readEnv, readKey, home, version, report, note } = options;
  const { direct: dispatch, chain, relay, cluster } = state;
  const queue = new KeyedQueue();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => queue.run(STREAM, work);
  const openShared = chain === undefined ? undefined : sharedBy({ log: state.log, home, report });
  const common = { dispatch, inTurn, atDirector: relay.changeAtDirector, openShared };
  const inEffect = new SettingsInEffect({
    live,
    isFileUsed: options.isFileUsed ?? true,
    inputs,
    prepare(next) {
      keys.reload();
      return prepareAll([() => prepare(next, readKey), () => workshop.previews.prepare(next)]);
    },
  });
  const onBehind = (why: string | undefined): void =>
    state.warnings.set("settings", why && behindBecause(why));
  const listeners = { onChange, onBehind, report, note };
  const takeOver =
    openShared &&
    createTakeOver({ inEffect, openShared, inTurn, timers: systemTimers, ...listeners });
  const changes = createChangeSettings({
    ...common,
    live,
    inEffect,
    newId: () => ids.next(),
    onChange,
    takeOver,
  });
  const changeKeys = createChangeKeys({
    ...common,
    keys,
    readEnv,
    settings: config,
    confirm: cluster.lease.confirm,
    prepare: (read) => prepare(config, read),
  });
  const deps = {
    settings: () => publicSettings(config),
    fixed: () => listFixed(inputs),
    schema: Object.fromEntries(Object.entries(ConfigFile)),
    version,
    now: () => clock.now(),
    changes,
    keys: changeKeys,
  };
  const body = bodyLimitsOf(config.limits);
  const methods = settingsMethods<GatewayCaller>(deps, ({ member }) => answererOf(member));
  return {
    apps: [createSettingsRoom({ ...deps, access, report, body })],
    extension: { methods: Object.values(methods), connect: () => undefined },
    recover: () => changes.recover(),
    ...(takeOver !== undefined && {
      onBatch: (entries) => {
        if (entries.some(({ stream }) => stream === STREAM)) void takeOver.follow();
      },
      directs: {
        async recover() {
          await takeOver.follow();
          await changeKeys.follow();
        },
      },
      close: () => takeOver[Symbol.dispose](),
    }),
  };
}

const behindBecause = (why: string): string =>
  `it has not taken over changed settings, and tries again by itself: ${why}`;

interface SharedSurface extends Pick<SettingsSurface, "home" | "report"> {
  readonly log: Pick<Log, "read" | "epoch" | "head">;
}

/** Loaded where it is needed: a server of one node starts without. */
function sharedBy({
  log,
  home: { folder, shared, newHomeFile },
  report,
}: SharedSurface): () => Promise<SharedChanges> {
  const loggedAfter = async (after: number) => {
    const entries = await Array.fromAsync(log.read({ stream: STREAM, after }));
    return entries.flatMap((entry) => {
      const event = aggregate.read(entry);
      return event.type === "settings.changed"
        ? [{ seq: entry.seq, changeId: event.changeId }]
        : [];
    });
  };
  const open = async (): Promise<SharedChanges> => {
    const { SharedChanges: Shared } = await import("../../settings/live/shared-changes.ts");
    const place = { home: folder, newHomeFile, shared };
    const changes = new Shared({ loggedAfter, ...place, log, now: () => clock.now(), report });
    await changes.open();
    return changes;
  };
  let opened: Promise<SharedChanges> | undefined;
  const reopen = (cause: unknown): never => {
    opened = undefined;
    throw cause;
  };
  return () => (opened ??= open().catch(reopen));
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
