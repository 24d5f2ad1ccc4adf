/**
 * Keeps and removes keys while the server runs. The runtimes that name the key are made anew with it before
 * anything is written, so a key that a runtime cannot do without is not removed under it. The log has
 * the name and who did it, never the key.
 */
import { accept, refuse, settings, type Answerer, type Dispatch, type Outcome } from "@atrium/core";
import { namedKeys, type ReadKey, type RosterSettings } from "../../agents/roster.ts";
import { ConfigError } from "../../platform/config-error.ts";
import { SERVER, type PreparedChange } from "./change-settings.ts";
import { checkKey, checkKeyName, type KeptKeys } from "./kept-keys.ts";

export interface KeyDeps {
  readonly dispatch: Dispatch;
  readonly keys: KeptKeys;
  /** Of the server's environment. */
  readonly readEnv: ReadKey;
  /** Those in effect. */
  readonly settings: RosterSettings;
  readonly prepare: (readKey: ReadKey) => Promise<PreparedChange>;
}

export interface KeyStatus {
  readonly name: string;
  readonly source: "environment" | "kept" | "missing";
}

export interface ChangeKeys {
  set(name: string, value: string, by: Answerer): Promise<Outcome<void>>;
  remove(name: string, by: Answerer): Promise<Outcome<void>>;
  /** Those that are kept, and those that the settings name. */
  list(): readonly KeyStatus[];
}

export function createChangeKeys({
  dispatch,
  keys,
  readEnv,
  settings: current,
  prepare,
}: KeyDeps): ChangeKeys {
  async function change(
    name: string,
    value: string | undefined,
    by: Answerer,
  ): Promise<Outcome<void>> {
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
    try {
      if (value === undefined) keys.remove(name);
      else keys.set(name, value);
    } catch (cause) {
      await prepared.discard();
      const why = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
      return refuse("settings.unwritable", `the file of kept keys: ${why}`);
    }
    prepared.commit();
    return accept(undefined);
  }

  return {
    async set(name, value, by) {
      const checked = checkKey(name, value);
      return checked.ok ? change(name, value, by) : checked;
    },
    async remove(name, by) {
      const checked = checkKeyName(name);
      return checked.ok ? change(name, undefined, by) : checked;
    },
    list() {
      return [...new Set([...namedKeys(current), ...keys.names()])].map((name) => ({
        name,
        source: sourceOf(name),
      }));
    },
  };

  function sourceOf(name: string): KeyStatus["source"] {
    if (readEnv(name) !== undefined) return "environment";
    return keys.get(name) === undefined ? "missing" : "kept";
  }
}
