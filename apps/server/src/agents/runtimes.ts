/**
 * Makes runtimes from their settings. Keys are not in the settings but in the environment, which the
 * caller reads; a key that should be there and is not is told before any agent needs it.
 */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { machineTimers, type Timers } from "../asking/timers.ts";
import { ConfigError } from "../config-error.ts";
import { createAcpRuntime } from "./acp/acp.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { environmentFor } from "./child/environment.ts";
import { createClaudeCodeRuntime } from "./claude-code/claude-code.ts";
import { withDefaults } from "./claude-code/claude-settings.ts";
import { handSecret } from "./claude-code/hand-secret.ts";
import type { OnGuess } from "./claude-code/hooks-server.ts";
import type { OpenBridgePorts } from "./claude-code/starter.ts";
import type { OpenToolDoor } from "./claude-code/tool-door.ts";
import { createCommandRuntime } from "./command/command.ts";
import { discreetRuntime } from "./discreet-runtime.ts";
import { createModelRuntime } from "./model/model.ts";
import { createOpenClawRuntime } from "./openclaw/openclaw.ts";
import { createRehearsal } from "./rehearsal/rehearsal.ts";
import type { RuntimeSettings } from "./settings.ts";
import { secretsIn } from "./without-secret.ts";

type ReadEnv = (name: string) => string | undefined;

const ANTHROPIC_URL = "https://api.anthropic.com/v1";

/** What some runtimes need beyond their settings. */
export interface RuntimeDeps {
  /** What must not be said, whoever has come by it. */
  readonly secrets?: () => readonly string[];
  /** Has what is good for something where hooks of programs arrive; of all runtimes, nobody may say it. */
  readonly hookSecrets?: Set<string> | undefined;
  readonly timers?: Timers;
  /** How the tools of a turn get into a program that is not ours. */
  readonly openToolDoor?: OpenToolDoor | undefined;
  /** What programs on the bridge may do beside a turn. */
  readonly openBridgePorts?: OpenBridgePorts | undefined;
  /** Someone tries paths where hooks of programs arrive. */
  readonly onGuess?: OnGuess | undefined;
}

export function createRuntimes(
  settings: Readonly<Record<string, RuntimeSettings>>,
  readEnv: ReadEnv,
  deps: RuntimeDeps = {},
): ReadonlyMap<string, AgentRuntime> {
  return new Map(
    Object.entries(settings).map(([name, one]) => {
      const given = "env" in one ? secretsIn(environmentFor(one.env ?? [], readEnv)) : [];
      const secrets = (): readonly string[] => [
        ...given,
        ...(deps.secrets?.() ?? []),
        ...(deps.hookSecrets ?? []),
      ];
      return [name, discreetRuntime(createRuntime(name, one, readEnv, deps), secrets)];
    }),
  );
}

function createRuntime(
  name: string,
  settings: RuntimeSettings,
  readEnv: ReadEnv,
  { timers = machineTimers, openToolDoor, openBridgePorts, onGuess, hookSecrets }: RuntimeDeps,
): AgentRuntime {
  switch (settings.type) {
    case "rehearsal":
      return createRehearsal(name, settings);
    case "model": {
      const { type: _type, apiKeyEnv, baseUrl = ANTHROPIC_URL, ...rest } = settings;
      const apiKey = secretOf(name, apiKeyEnv, "API key", readEnv);
      return createModelRuntime(name, { ...rest, baseUrl, apiKey });
    }
    case "claude-code": {
      const { cwd } = settings;
      // Told now and not when the first program comes.
      handSecret(settings, readEnv);
      const placed = cwd === undefined ? settings : { ...settings, cwd: resolve(cwd) };
      return createClaudeCodeRuntime(name, withDefaults(placed, resolve("."), readEnv), {
        openToolDoor,
        openBridgePorts,
        newSecret: randomUUID,
        onGuess,
        hookSecrets,
        now: () => Date.now(),
        after: timers.after,
      });
    }
    case "command": {
      const { type: _type, ...rest } = settings;
      return createCommandRuntime(name, { ...rest, ...placeOf(settings, readEnv) }, timers);
    }
    case "acp": {
      const { type: _type, ...rest } = settings;
      const place = placeOf(settings, readEnv);
      return createAcpRuntime(name, { ...rest, ...place }, timers, openToolDoor);
    }
    case "openclaw": {
      const { type: _type, tokenEnv, ...rest } = settings;
      const token = secretOf(name, tokenEnv, "gateway's token", readEnv);
      return createOpenClawRuntime(name, { ...rest, token }, timers);
    }
  }
}

/** Where a program works, and what it is given of the environment. */
function placeOf(
  { cwd = ".", env = [] }: { readonly cwd?: string; readonly env?: readonly string[] },
  readEnv: ReadEnv,
): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  return { cwd: resolve(cwd), env: environmentFor(env, readEnv) };
}

function secretOf(
  runtime: string,
  variable: string | undefined,
  what: string,
  readEnv: ReadEnv,
): string | undefined {
  if (variable === undefined) return undefined;
  const secret = readEnv(variable);
  if (secret !== undefined && secret !== "") return secret;
  throw new ConfigError(
    `runtime "${runtime}": the environment variable ${variable} is not set; it should hold the ${what}`,
  );
}
