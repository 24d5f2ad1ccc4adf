/**
 * Makes runtimes from their settings. Keys are not in the settings but in the environment, which the
 * caller reads; a key that should be there and is not is told before any agent needs it.
 *
 * Most servers have one type of runtime or two, so the code of the others is not loaded.
 */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { ConfigError } from "../platform/config-error.ts";
import { systemTimers, type Timers } from "../platform/timers.ts";
import type { OnGuess } from "./claude-code/transports/hooks-server.ts";
import type { OpenBridgePorts } from "./claude-code/transports/starter.ts";
import { acpServersOf, equipRuntime } from "./equip-runtime.ts";
import { environmentFor } from "./process/environment.ts";
import type { ProgramDeps } from "./process/program.ts";
import type { PermissionsOf } from "./process/workspace-preset.ts";
import { createRehearsal } from "./rehearsal/rehearsal.ts";
import type { PlacedSettings } from "./settings/brought-settings.ts";
import { equipServers, secretsOfServers } from "./settings/mcp-server-settings.ts";
import type { RuntimeSettings } from "./settings/runtime-settings.ts";
import type { AgentRuntime } from "./turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "./turn/mcp-tool-server.ts";
import { secretsIn } from "./turn/redact.ts";
import { redactingRuntime } from "./turn/redacting-runtime.ts";

type ReadEnv = (name: string) => string | undefined;

const ANTHROPIC_URL = "https://api.anthropic.com/v1";

export interface RuntimeDeps {
  /** What must not be said, whoever has come by it. */
  readonly secrets?: () => readonly string[];
  /** Has what is good for something where hooks of programs arrive; of all runtimes, nobody may say it. */
  readonly hookSecrets?: Set<string> | undefined;
  readonly timers?: Timers;
  /** Where programs work that have a workspace. */
  readonly confinement?: ProgramDeps["confinement"];
  /** What of the server's nobody who has a workspace may reach: its home. */
  readonly secretFolders?: readonly string[];
  /** What agents may do in their workspaces without asking; undefined: as their runtimes say. */
  readonly permissionsOf?: PermissionsOf;
  /** How the tools of a turn get into a program that is not ours. */
  readonly openMcpToolServer?: OpenMcpToolServer | undefined;
  readonly openBridgePorts?: OpenBridgePorts | undefined;
  readonly onGuess?: OnGuess | undefined;
}

export async function createRuntimes(
  settings: Readonly<Record<string, PlacedSettings>>,
  readEnv: ReadEnv,
  deps: RuntimeDeps = {},
): Promise<ReadonlyMap<string, AgentRuntime>> {
  const runtimes = new Map<string, AgentRuntime>();
  for (const [name, one] of Object.entries(settings)) {
    const given = givenSecrets(one, readEnv);
    const secrets = (): readonly string[] => [
      ...given,
      ...(deps.secrets?.() ?? []),
      ...(deps.hookSecrets ?? []),
    ];
    const runtime = redactingRuntime(await createRuntime(name, one, readEnv, deps), secrets);
    const { timers = systemTimers, confinement, permissionsOf } = deps;
    const place = () => placeOf("cwd" in one && one.cwd ? { cwd: one.cwd } : {}, readEnv);
    const equipping = { name, place, readEnv, timers, confinement, permissionsOf };
    const equipped = await equipRuntime(runtime, one, equipping);
    // What is added to it has words of its own.
    runtimes.set(name, equipped === runtime ? runtime : redactingRuntime(equipped, secrets));
  }
  return runtimes;
}

/** What a program of the runtime is given and must not say. */
export function givenSecrets(settings: RuntimeSettings, readEnv: ReadEnv): readonly string[] {
  const given = "env" in settings ? environmentFor(settings.env ?? [], readEnv) : {};
  const servers = "mcpServers" in settings ? settings.mcpServers : undefined;
  return [...secretsIn(given), ...secretsOfServers(servers, readEnv)];
}

async function createRuntime(
  name: string,
  settings: RuntimeSettings,
  readEnv: ReadEnv,
  deps: RuntimeDeps,
): Promise<AgentRuntime> {
  const { timers = systemTimers, openMcpToolServer, confinement, secretFolders } = deps;
  const programs = { timers, confinement };
  switch (settings.type) {
    case "rehearsal":
      return createRehearsal(name, settings);
    case "model": {
      const { baseUrl = ANTHROPIC_URL } = settings;
      const apiKey = secretOf(name, settings.apiKeyEnv, "API key", readEnv);
      const { createModelRuntime } = await import("./model/model.ts");
      return createModelRuntime(name, { ...settings, baseUrl, apiKey });
    }
    case "claude-code":
      return createClaude(name, settings, readEnv, { ...deps, timers });
    case "command": {
      const { createCommandRuntime } = await import("./command/command.ts");
      return createCommandRuntime(name, { ...settings, ...placeOf(settings, readEnv) }, programs);
    }
    case "acp": {
      const place = placeOf(settings, readEnv);
      const { createAcpRuntime, canLeaveOut } = await import("./acp/acp.ts");
      if (settings.ownSettings === false && !canLeaveOut(settings)) throw cannotLeaveOut(name);
      const tools = { openMcpToolServer, newSecret: randomUUID, secretsInUse: deps.hookSecrets };
      const { handedOn: mcpServers } = await acpServersOf(name, settings, readEnv);
      const equipped = { ...settings, ...place, mcpServers };
      const { permissionsOf } = deps;
      return createAcpRuntime(name, equipped, { ...programs, ...tools, permissionsOf });
    }
    case "cline": {
      const place = placeOf(settings, readEnv);
      const { createClineRuntime } = await import("./cline/cline.ts");
      const { permissionsOf } = deps;
      const secretsInUse = deps.hookSecrets;
      const clineDeps = { ...programs, newSecret: randomUUID, secretsInUse, permissionsOf };
      return createClineRuntime(name, { ...settings, ...place }, clineDeps);
    }
    case "codex": {
      const place = placeOf(settings, readEnv);
      const mcpServers = equipServers(`runtime "${name}"`, settings.mcpServers, readEnv);
      const { createCodexRuntime } = await import("./codex/codex.ts");
      const { secrets, permissionsOf } = deps;
      const shared = { timers, openMcpToolServer, secretFolders, secrets, permissionsOf };
      const own = { ...shared, newMark: randomUUID };
      return createCodexRuntime(name, { ...settings, ...place, mcpServers }, own);
    }
    case "openclaw": {
      const token = secretOf(name, settings.tokenEnv, "gateway's token", readEnv);
      const { createOpenClawRuntime } = await import("./openclaw/openclaw.ts");
      return createOpenClawRuntime(name, { ...settings, token }, timers);
    }
  }
}

async function createClaude(
  name: string,
  settings: Extract<RuntimeSettings, { readonly type: "claude-code" }>,
  readEnv: ReadEnv,
  { timers, secrets: _secrets, ...deps }: RuntimeDeps & { readonly timers: Timers },
): Promise<AgentRuntime> {
  const { createClaudeCodeRuntime } = await import("./claude-code/claude-code.ts");
  const { withDefaults } = await import("./claude-code/protocol/claude-settings.ts");
  const { handSecret } = await import("./claude-code/transports/hand-secret.ts");
  // Told now and not when the first program comes, or is started.
  handSecret(settings, readEnv);
  equipServers(`runtime "${name}"`, settings.mcpServers, readEnv);
  const { cwd } = settings;
  const placed = cwd === undefined ? settings : { ...settings, cwd: resolve(cwd) };
  return createClaudeCodeRuntime(name, withDefaults(placed, resolve("."), readEnv), {
    ...deps,
    newSecret: randomUUID,
    now: () => Date.now(),
    after: timers.after,
  });
}

/** Where a program works, and what it is given of the environment. */
function placeOf(
  { cwd = ".", env = [] }: { readonly cwd?: string; readonly env?: readonly string[] },
  readEnv: ReadEnv,
): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } {
  return { cwd: resolve(cwd), env: environmentFor(env, readEnv) };
}

function cannotLeaveOut(name: string): ConfigError {
  return new ConfigError(
    `runtime "${name}": ownSettings: Atrium knows no way to leave out what is configured in this program itself; take ownSettings out, or name the program in "program" where its command has another name`,
  );
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
