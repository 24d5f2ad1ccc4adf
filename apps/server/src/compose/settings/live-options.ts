/** What the server is opened with, with settings that follow changes. Part of compose.ts. */
import { join } from "node:path";
import type { ReadKey } from "../../agents/roster.ts";
import type { Home } from "../../platform/home.ts";
import { openKeptKeys, type KeptKeys } from "../../settings/live/kept-keys.ts";
import { createLiveConfig, type LiveConfig } from "../../settings/live/live-config.ts";
import type { Config } from "../../settings/read-config.ts";

export interface LiveSettings {
  readonly config: Config;
  readonly live: LiveConfig;
  /** Those that people keep with the server. */
  readonly keys: KeptKeys;
  /** From the environment, else from the kept keys. */
  readonly readKey: ReadKey;
}

export interface GivenOptions {
  readonly config: Config;
  readonly home: Pick<Home, "shared">;
  readonly readEnv: ReadKey;
}

export function openLiveOptions<Options extends GivenOptions>(
  options: Options,
): Options & LiveSettings {
  const { home, readEnv } = options;
  const live = createLiveConfig(options.config);
  const keys = openKeptKeys(join(home.shared, "keys.json"));
  const readKey: ReadKey = (name) => readEnv(name) ?? keys.get(name);
  return { ...options, config: live.config, live, keys, readKey };
}
