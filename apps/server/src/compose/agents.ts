/**
 * The crew put to work: each member with its runtime, and under its own policy. Part of compose.ts, and imported by it alone.
 */
import { Fault } from "@atrium/core";
import type { AuthAttempts } from "../access/auth-attempts.ts";
import { checkProgram } from "../agents/check-program.ts";
import type { CrewSettings } from "../agents/crew.ts";
import { createRoster, type PreparedRoster, type ReadKey } from "../agents/roster.ts";
import { createRuntimes, givenSecrets } from "../agents/runtimes.ts";
import { settleBudgets } from "../agents/settings/agent-settings.ts";
import type { AgentRuntime } from "../agents/turn/agent-runtime.ts";
import { AGENT_VARIABLE, createIsOfAgent, type IsOfAgent } from "../platform/agent-processes.ts";
import { ConfigError } from "../platform/config-error.ts";
import { systemTimers } from "../platform/timers.ts";
import type { BridgeSessions } from "../rooms/bridge/sessions/bridge-sessions.ts";
import { NODE_TOOL_PREFIX } from "../rooms/gateway/nodes/node-tools.ts";
import type { AgentPolicy, AgentPolicyOf, AgentTools } from "../runs/agent-policy.ts";
import type { TurnHumanInput } from "../runs/run-driver.ts";
import type { RunStatuses } from "../runs/run-statuses.ts";
import type { Config } from "../settings/read-config.ts";
import { allowTools, exactNames } from "../tools/allowed-tools.ts";
import type { Claude, ClaudeParts } from "./claude.ts";
import type { HandPrograms } from "./hand-programs.ts";
import type { ServerOptions } from "./parts.ts";
import { createMcpToolServer } from "./tool-server.ts";
import type { AgentConfinement } from "./tools.ts";

export interface Agents {
  /** `repositoryId`: where it works, if it works in one. */
  readonly runtimeOf: (agentId: string, repositoryId?: string) => AgentRuntime;
  readonly policyOf: AgentPolicyOf;
  /** Makes what other settings need. Throws a ConfigError where that is impossible. */
  readonly prepare: (next: Config, readKey: ReadKey) => Promise<PreparedRoster>;
  readonly isOfAgent: IsOfAgent;
  /** What none of them may say: the server's, and what their programs were given. */
  readonly secrets: () => readonly string[];
  /** For programs that serve an agent and that someone else starts. */
  readonly bindByHand: HandPrograms["bind"];
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
const PROGRAMS: ReadonlySet<string> = new Set(["claude-code", "codex", "command", "acp", "cline"]);

export async function composeAgents(
  { config, home, report }: ServerOptions,
  readKey: ReadKey,
  parts: AgentParts,
  opened: AsyncDisposableStack,
): Promise<Agents> {
  const policies = createPolicies(config, parts.toolbox);
  const { policyOf } = policies;
  const hookSecrets = new Set<string>();
  const given = new Set<string>();
  const secrets = (): readonly string[] => [...parts.secrets(), ...hookSecrets];
  const { mark } = parts;
  const marked =
    (read: ReadKey): ReadKey =>
    (name) =>
      name === AGENT_VARIABLE ? mark : read(name);
  const claude = loadClaude(config, readKey, { ...parts, secrets, policyOf });
  let hasPrograms = false;
  let isOpen = false;
  const deps = {
    timers: systemTimers,
    confinement: parts.confinement,
    secretFolders: [...new Set([home.folder, home.shared])],
    openMcpToolServer: createMcpToolServer(parts.bridge, claude.openByHand),
    secrets: parts.secrets,
    permissionsOf: (agentId: string) => config.crew.find(({ id }) => id === agentId)?.permissions,
    hookSecrets,
    onGuess: (address: string) => parts.attempts.failed(address, "hooks"),
  };
  const roster = createRoster({
    report,
    async create(name, settings, read) {
      if (isOpen) await checkProgram(name, settings, readKey("PATH") ?? "");
      const openBridgePorts =
        settings.type === "claude-code" ? (await claude.load()).openBridgePorts : undefined;
      for (const secret of givenSecrets(settings, read)) given.add(secret);
      const made = await createRuntimes({ [name]: settings }, marked(read), {
        ...deps,
        openBridgePorts,
      });
      hasPrograms ||= PROGRAMS.has(settings.type);
      const runtime = made.get(name);
      if (runtime === undefined) throw new Fault("a runtime that was not made", { name });
      return runtime;
    },
  });
  opened.defer(() => roster.close());
  (await roster.prepare(config, readKey)).commit();
  isOpen = true;
  const isOfAgent = createIsOfAgent(mark);
  return {
    policyOf,
    secrets: () => [...secrets(), ...given],
    // Without any processes there is none to be found.
    isOfAgent: (socket) => (hasPrograms || parts.confinement.isUsed()) && isOfAgent(socket),
    bindByHand: claude.bind,
    runtimeOf: roster.runtimeOf,
    async prepare(next, read) {
      for (const member of next.crew) checkTools(member, parts.toolbox);
      const { commit, discard } = await roster.prepare(next, read);
      return {
        discard,
        commit() {
          commit();
          policies.forget();
        },
      };
    },
  };
}

/** As with runtimes themselves, what no setting asks for is not loaded. */
function loadClaude(
  config: Pick<Config, "crew" | "runtimes">,
  readKey: ReadKey,
  parts: ClaudeParts,
) {
  let loading: Promise<Claude> | undefined;
  let loaded: Claude | undefined;
  const load = (): Promise<Claude> => {
    loading ??= import("./claude.ts").then(({ composeClaude }) => {
      loaded = composeClaude(config, readKey, parts);
      return loaded;
    });
    return loading;
  };
  const bind: HandPrograms["bind"] = (...hello) => loaded?.byHand.bind(...hello);
  const openByHand: HandPrograms["open"] = (options) => {
    if (loaded === undefined) throw new Fault("nobody serves programs that others start");
    return loaded.byHand.open(options);
  };
  return { load, bind, openByHand };
}

/** Made when first asked for, and anew once the settings have changed. */
function createPolicies(
  config: Pick<Config, "crew" | "budgets" | "limits">,
  toolbox: AgentTools,
): { readonly policyOf: AgentPolicyOf; readonly forget: () => void } {
  for (const member of config.crew) checkTools(member, toolbox);
  const policies = new Map<string, AgentPolicy>();
  const policyOf: AgentPolicyOf = (agentId) => {
    const known = policies.get(agentId);
    if (known !== undefined) return known;
    const member = config.crew.find(({ id }) => id === agentId);
    if (member === undefined) throw new Fault("an agent without a policy", { agentId });
    const { run, conversation, turnTimeoutMs } = member.limits ?? {};
    const theirs = { ...(run && { run }), ...(conversation && { conversation }) };
    const policy = {
      tools: allowTools(toolbox, member.tools),
      budgets: settleBudgets(theirs, config.budgets),
      timeoutMs: turnTimeoutMs ?? config.limits.turnTimeoutMs,
    };
    policies.set(agentId, policy);
    return policy;
  };
  return { policyOf, forget: () => policies.clear() };
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
