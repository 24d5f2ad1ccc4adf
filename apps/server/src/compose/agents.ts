/**
 * The crew put to work: each member with its runtime, and under its own policy. Part of compose.ts, and imported by it alone.
 */
import { Fault } from "@atrium/core";
import { own } from "@atrium/wire";
import type { AuthAttempts } from "../access/auth-attempts.ts";
import type { CrewSettings } from "../agents/crew.ts";
import { createRuntimes, givenSecrets, type RuntimeDeps } from "../agents/runtimes.ts";
import { settleBudgets } from "../agents/settings/agent-settings.ts";
import { secretsOfServers } from "../agents/settings/mcp-server-settings.ts";
import { forAgent } from "../agents/settings/runtime-settings.ts";
import type { AgentRuntime } from "../agents/turn/agent-runtime.ts";
import { AGENT_VARIABLE, createIsOfAgent, type IsOfAgent } from "../platform/agent-processes.ts";
import { ConfigError } from "../platform/config-error.ts";
import { systemTimers } from "../platform/timers.ts";
import type { BridgeSessions } from "../rooms/bridge/sessions/bridge-sessions.ts";
import { NODE_TOOL_PREFIX } from "../rooms/gateway/nodes/node-tools.ts";
import type { AgentPolicyOf, AgentTools } from "../runs/agent-policy.ts";
import type { TurnHumanInput } from "../runs/run-driver.ts";
import type { RunStatuses } from "../runs/run-statuses.ts";
import type { Config } from "../settings/read-config.ts";
import { allowTools, exactNames } from "../tools/allowed-tools.ts";
import type { HandPrograms } from "./hand-programs.ts";
import type { ServerOptions } from "./parts.ts";
import { createMcpToolServer } from "./tool-server.ts";
import type { AgentConfinement } from "./tools.ts";

type ReadEnv = (name: string) => string | undefined;

export interface Agents {
  readonly runtimeOf: (agentId: string) => AgentRuntime;
  readonly policyOf: AgentPolicyOf;
  readonly isOfAgent: IsOfAgent;
  /** What none of them may say: the server's, and what their programs were given. */
  readonly secrets: () => readonly string[];
  /** For programs that serve an agent and that someone else starts. */
  readonly bindByHand: HandPrograms["bind"] | undefined;
}

export interface AgentParts {
  readonly toolbox: AgentTools;
  /** What no agent may say. */
  readonly secrets: () => readonly string[];
  readonly humanInput: TurnHumanInput;
  readonly bridge: () => BridgeSessions;
  readonly attempts: Pick<AuthAttempts, "failed">;
  readonly confinement: AgentConfinement;
  /** By which the processes of agents are known again. */
  readonly mark: string;
  readonly reports: () => Pick<RunStatuses, "wait">;
}

/** Runtimes that start processes. */
const PROGRAMS = ["claude-code", "codex", "command", "acp", "cline"] as const;

export async function composeAgents(
  { config, home, readEnv }: ServerOptions,
  parts: AgentParts,
  opened: AsyncDisposableStack,
): Promise<Agents> {
  const policyOf = createPolicies(config, parts.toolbox);
  const hookSecrets = new Set<string>();
  const types = new Set(Object.values(config.runtimes).map(({ type }) => type));
  // As with runtimes themselves, what no setting asks for is not loaded.
  const { composeClaude } = types.has("claude-code") ? await import("./claude.ts") : {};
  const secrets = (): readonly string[] => [...parts.secrets(), ...hookSecrets];
  const claude = composeClaude?.(config, readEnv, {
    toolbox: parts.toolbox,
    humanInput: parts.humanInput,
    bridge: parts.bridge,
    reports: parts.reports,
    secrets,
    policyOf,
  });
  const deps = {
    timers: systemTimers,
    confinement: parts.confinement,
    secretFolders: [...new Set([home.folder, home.shared])],
    openMcpToolServer: createMcpToolServer(parts.bridge, claude?.byHand.open),
    openBridgePorts: claude?.openBridgePorts,
    secrets: parts.secrets,
    hookSecrets,
    onGuess: (address: string) => parts.attempts.failed(address, "hooks"),
  };
  const { mark } = parts;
  const isOfAgent = createIsOfAgent(mark);
  const hasPrograms = PROGRAMS.some((type) => types.has(type));
  const readMarked: ReadEnv = (name) => (name === AGENT_VARIABLE ? mark : readEnv(name));
  const given = [
    ...Object.values(config.runtimes).flatMap((one) => givenSecrets(one, readEnv)),
    ...config.crew.flatMap(({ mcpServers }) => secretsOfServers(mcpServers, readEnv)),
  ];
  return {
    policyOf,
    secrets: () => [...secrets(), ...given],
    // Without any processes there is none to be found.
    isOfAgent: (socket) => (hasPrograms || parts.confinement.isUsed()) && isOfAgent(socket),
    bindByHand: claude?.byHand.bind,
    runtimeOf: await chooseRuntimes(config, readMarked, deps, opened),
  };
}

async function chooseRuntimes(
  config: Pick<Config, "crew" | "runtimes">,
  readEnv: ReadEnv,
  deps: RuntimeDeps,
  opened: AsyncDisposableStack,
): Promise<(agentId: string) => AgentRuntime> {
  const open = async (settings: Config["runtimes"]): Promise<ReadonlyMap<string, AgentRuntime>> => {
    const runtimes = await createRuntimes(settings, readEnv, deps);
    for (const runtime of runtimes.values()) opened.defer(() => runtime.close?.());
    return runtimes;
  };
  const everyones = await open(config.runtimes);
  // Those who share a folder of their own, and MCP servers, share the runtime that works there.
  const placed = new Map<string, AgentRuntime | undefined>();
  const runtimeFor = async ({
    runtime: name,
    ...member
  }: CrewSettings): Promise<AgentRuntime | undefined> => {
    const settings = own(config.runtimes, name);
    const moved = settings && forAgent(settings, member);
    if (moved === undefined) return everyones.get(name);
    const place = JSON.stringify([name, member.cwd, member.mcpServers]);
    if (!placed.has(place)) placed.set(place, (await open({ [name]: moved })).get(name));
    return placed.get(place);
  };
  const chosen = new Map<string, AgentRuntime | undefined>();
  for (const member of config.crew) chosen.set(member.id, await runtimeFor(member));
  return (agentId) => {
    const runtime = chosen.get(agentId);
    if (runtime === undefined) throw new Fault("an agent without a runtime", { agentId });
    return runtime;
  };
}

function createPolicies(
  { crew, budgets, limits }: Pick<Config, "crew" | "budgets" | "limits">,
  toolbox: AgentTools,
): AgentPolicyOf {
  const policies = new Map(
    crew.map((member) => {
      checkTools(member, toolbox);
      const { run, conversation, turnTimeoutMs } = member.limits ?? {};
      const theirs = { ...(run && { run }), ...(conversation && { conversation }) };
      return [
        member.id,
        {
          tools: allowTools(toolbox, member.tools),
          budgets: settleBudgets(theirs, budgets),
          timeoutMs: turnTimeoutMs ?? limits.turnTimeoutMs,
        },
      ];
    }),
  );
  return (agentId) => {
    const found = policies.get(agentId);
    if (found === undefined) throw new Fault("an agent without a policy", { agentId });
    return found;
  };
}

/** A name that is written wrong would take a tool away without a word. What nodes offer is not known beforehand. */
function checkTools({ id, tools = [] }: CrewSettings, { names }: AgentTools): void {
  const wrong = exactNames(tools).find(
    (name) => !names.includes(name) && !name.startsWith(NODE_TOOL_PREFIX),
  );
  if (wrong === undefined) return;
  throw new ConfigError(
    `agents: ${id}: there is no tool "${wrong}"; there are: ${names.join(", ")}, and ${NODE_TOOL_PREFIX}… of nodes`,
  );
}
