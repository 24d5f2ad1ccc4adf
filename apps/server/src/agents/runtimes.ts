/**
 * Makes runtimes from their settings. Keys are not in the settings but in the environment, which the
 * caller reads; a key that should be there and is not is told before any agent needs it.
 */
import { ConfigError } from "../config-error.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { createModelRuntime } from "./model/model.ts";
import { createRehearsal } from "./rehearsal/rehearsal.ts";
import type { RuntimeSettings } from "./settings.ts";

type ReadEnv = (name: string) => string | undefined;

const ANTHROPIC_URL = "https://api.anthropic.com/v1";

export function createRuntimes(
  settings: Readonly<Record<string, RuntimeSettings>>,
  readEnv: ReadEnv,
): ReadonlyMap<string, AgentRuntime> {
  return new Map(
    Object.entries(settings).map(([name, one]) => [name, createRuntime(name, one, readEnv)]),
  );
}

function createRuntime(name: string, settings: RuntimeSettings, readEnv: ReadEnv): AgentRuntime {
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
  }
}
