/**
 * Keeps and removes keys while the server runs. The runtimes that name the key are made anew with it before
 * anything is written, so a key that a runtime cannot do without is not removed under it. The log has
 * the name and who did it, never the key.
 */
import { accept, refuse, settings, type Answerer, type Dispatch, type Outcome } from "@atrium/core";
import { namedKeys, type ReadKey, type RosterSettings } from "../../agents/roster.ts";
import type { AtDirector } from "../../cluster/at-director.ts";
import { ConfigError } from "../../platform/config-error.ts";
import { SERVER } from "./change-settings.ts";
import { checkKey, checkKeyName, type KeptKeys } from "./kept-keys.ts";
import type { PreparedChange } from "./settings-in-effect.ts";
import type { KeyHandover } from "./shared-changes.ts";

export interface KeyDeps {
  readonly dispatch: Dispatch;
  readonly keys: KeptKeys;
  /** Of the server's environment. */
  readonly readEnv: ReadKey;
  /** Those in effect. */
  readonly settings: RosterSettings;
  readonly prepare: (readKey: ReadKey) => Promise<PreparedChange>;
  /** One after the other, whatever else changes what is in effect. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Of several nodes only that one writes them. */
  readonly atDirector: AtDirector;
  /** Refused where another node directs by now. */
  readonly confirm: () => Promise<Outcome<void>>;
  /** How it gets them; undefined with one node. */
  readonly openShared: (() => Promise<KeyHandover>) | undefined;
}

/** The key itself, or by what it is fetched; null: it is removed. */
type GivenKey = { readonly key: string } | { readonly id: string } | null;

export interface KeyStatus {
  readonly name: string;
  readonly source: "environment" | "kept" | "missing";
}

export interface ChangeKeys {
  set(name: string, value: string, by: Answerer): Promise<Outcome<void>>;
  remove(name: string, by: Answerer): Promise<Outcome<void>>;
  /** Those that are kept, and those that the settings name. */
  list(): readonly KeyStatus[];
  /** Has the runtimes made anew whose keys another node has kept or removed. */
  follow(): Promise<void>;
}

export function createChangeKeys({
  dispatch,
  keys,
  readEnv,
  settings: current,
  prepare,
  inTurn,
  atDirector,
  confirm,
  openShared,
}: KeyDeps): ChangeKeys {
  async function makeChange(name: string, given: GivenKey, by: Answerer): Promise<Outcome<void>> {
    const value = await keyOf(given, openShared);
    if (given !== null && value === undefined) return LOST;
    keys.reload();
    if (readEnv(name) !== undefined) {
      const what = `${name} is set in the server's environment, which wins`;
      return refuse("settings.fixed", `${what}; restart the server without it first`);
    }
    const readKey: ReadKey = (each) => readEnv(each) ?? (each === name ? value : keys.get(each));
    let prepared: PreparedChange;
    try {
      prepared = await prepare(readKey);
    } catch (cause) {
      if (cause instanceof ConfigError) return refuse("settings.invalid", cause.message);
      throw cause;
    }
    const type = value === undefined ? "remove-key" : "keep-key";
    const done = await dispatch(settings, SERVER, { type, name, by });
    if (!done.ok) {
      await prepared.discard();
      return done;
    }
    const written = await writeKey({ keys, confirm }, name, value);
    if (written.ok) prepared.commit();
    else await prepared.discard();
    return written;
  }

  const change = atDirector("settings.key", (...asked: Parameters<typeof makeChange>) =>
    inTurn(() => makeChange(...asked)),
  );
  return {
    async set(name, value, by) {
      const checked = checkKey(name, value);
      if (!checked.ok) return checked;
      const shared = await openShared?.();
      return shared === undefined
        ? change(name, { key: value }, by)
        : handOver(shared, value, (id) => change(name, { id }, by));
    },
    async remove(name, by) {
      const checked = checkKeyName(name);
      return checked.ok ? change(name, null, by) : checked;
    },
    list() {
      keys.reload();
      return [...new Set([...namedKeys(current), ...keys.names()])].map((name) => ({
        name,
        source: sourceOf(name),
      }));
    },
    follow: () =>
      inTurn(async () => {
        keys.reload();
        (await prepare((name) => readEnv(name) ?? keys.get(name))).commit();
      }),
  };

  function sourceOf(name: string): KeyStatus["source"] {
    if (readEnv(name) !== undefined) return "environment";
    return keys.get(name) === undefined ? "missing" : "kept";
  }
}

async function keyOf(
  given: GivenKey,
  openShared: KeyDeps["openShared"],
): Promise<string | undefined> {
  if (given === null) return undefined;
  return "key" in given ? given.key : (await openShared?.())?.take(given.id);
}

async function writeKey(
  { keys, confirm }: Pick<KeyDeps, "keys" | "confirm">,
  name: string,
  value: string | undefined,
): Promise<Outcome<void>> {
  // This node may have been stopped for a while, and no guard of the log protects a file.
  const confirmed = await confirm();
  if (!confirmed.ok) return confirmed;
  try {
    if (value === undefined) keys.remove(name);
    else keys.set(name, value);
    return accept(undefined);
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    return refuse("settings.unwritable", `the file of kept keys: ${why}`);
  }
}

/** Whatever comes of it, the key does not stay there. */
async function handOver<T>(
  shared: KeyHandover,
  value: string,
  use: (id: string) => Promise<T>,
): Promise<T> {
  const id = await shared.put(value);
  try {
    return await use(id);
  } finally {
    await shared.drop(id);
  }
}

const LOST = refuse("settings.invalid", "the shared folder does not have this key; send it again");
