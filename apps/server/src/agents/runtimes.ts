/**
 * Makes runtimes from their settings. Keys are not in the settings but in the environment, which the
 * caller reads; a key that should be there and is not is told before any agent needs it.
 */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { machineTimers, type Timers } from "../asking/timers.ts";
import { ConfigError } from "../config-error.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { createClaudeCodeRuntime } from "./claude-code/claude-code.ts";
import { withDefaults } from "./claude-code/claude-settings.ts";
import type { OpenToolDoor } from "./claude-code/tool-door.ts";
import { createModelRuntime } from "./model/model.ts";
import { createRehearsal } from "./rehearsal/rehearsal.ts";
import type { RuntimeSettings } from "./settings.ts";

type ReadEnv = (name: string) => string | undefined;

const ANTHROPIC_URL = "https://api.anthropic.com/v1";

/** What some runtimes need beyond their settings. */
export interface RuntimeDeps {
  readonly timers?: Timers;
  /** How the tools of a turn get into a program that is not ours. */
  readonly openToolDoor?: OpenToolDoor | undefined;
}

export function createRuntimes(
  settings: Readonly<Record<string, RuntimeSettings>>,
  readEnv: ReadEnv,
  deps: RuntimeDeps = {},
): ReadonlyMap<string, AgentRuntime> {
  return new Map(
    Object.entries(settings).map(([name, one]) => [name, createRuntime(name, one, readEnv, deps)]),
  );
}

function createRuntime(
  name: string,
  settings: RuntimeSettings,
  readEnv: ReadEnv,
  { timers = machineTimers, openToolDoor }: RuntimeDeps,
): AgentRuntime {
  switch (settings.type) {
    case "rehearsal":
      return createRehearsal(name, settings);
    case "model": {
      const { type: _type, apiKeyEnv, baseUrl = ANTHROPIC_URL, ...rest } = settings;
      const apiKey = apiKeyEnv === undefined ? undefined : readEnv(apiKeyEnv);
      if (apiKeyEnv !== undefined && (apiKey === undefined || apiKey === "")) {
        throw new ConfigError(
          `runtime "${name}": the environment variable ${apiKeyEnv} is not set; it should hold the API key`,
        );
      }
      return createModelRuntime(name, { ...rest, baseUrl, apiKey });
    }
    case "claude-code": {
      const { cwd } = settings;
      const placed = cwd === undefined ? settings : { ...settings, cwd: resolve(cwd) };
      return createClaudeCodeRuntime(name, withDefaults(placed, resolve("."), readEnv), {
        openToolDoor,
        newSecret: randomUUID,
        now: () => Date.now(),
        after: timers.after,
      });
    }
  }
}
