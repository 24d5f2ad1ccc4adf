/**
 * The crew put to work: each member with its runtime, and on its terms. Part of compose.ts, and imported by it alone.
 */
import { Fault } from "@atrium/core";
import { own } from "@atrium/wire";
import { AGENT_VARIABLE, createIsOfAgent, type IsOfAgent } from "./access/agent-processes.ts";
import type { Attempts } from "./access/attempts.ts";
import type { AgentRuntime } from "./agents/agent-runtime.ts";
import { settleBudgets } from "./agents/agent-settings.ts";
import { REPLY } from "./agents/claude-code/bridge-reply.ts";
import { handSecret } from "./agents/claude-code/hand-secret.ts";
import type { OpenBridgePorts } from "./agents/claude-code/starter.ts";
import type { CrewSettings } from "./agents/crew.ts";
import { createRuntimes, type RuntimeDeps } from "./agents/runtimes.ts";
import { inFolder } from "./agents/settings.ts";
import { maskedWithin } from "./agents/without-secret.ts";
import { machineTimers } from "./asking/timers.ts";
import { createHandPrograms, type HandPrograms } from "./compose-hand-programs.ts";
import { createBridgeDoor } from "./compose-tool-door.ts";
import { ConfigError } from "./config-error.ts";
import type { Config } from "./config.ts";
import type { Asking } from "./director/drive.ts";
import type { RunReports } from "./director/run-reports.ts";
import type { TermsOf } from "./director/terms.ts";
import { clock, ids } from "./machine.ts";
import type { BridgeSessions } from "./rooms/bridge/bridge-sessions.ts";
import { NODE_TOOL_PREFIX } from "./rooms/gateway/nodes/node-tools.ts";
import type { Surface } from "./surface.ts";
import { allowTools, exactNames } from "./tools/allowed-tools.ts";
import type { Toolbox } from "./tools/toolbox.ts";

type ReadEnv = (name: string) => string | undefined;

export interface Agents {
  readonly runtimeOf: (agentId: string) => AgentRuntime;
  readonly termsOf: TermsOf;
  readonly isOfAgent: IsOfAgent;
  /** For programs that serve an agent and that someone else starts. */
  readonly bindByHand: HandPrograms["bind"];
}

export interface AgentParts {
  readonly toolbox: Toolbox;
  /** What no agent may say. */
  readonly secrets: () => readonly string[];
  readonly asking: Asking;
  readonly bridge: () => BridgeSessions;
  readonly attempts: Pick<Attempts, "failed">;
  readonly reports: () => Pick<RunReports, "wait">;
}

/** Runtimes that start processes. */
const PROGRAMS: ReadonlySet<string> = new Set(["claude-code", "command", "acp"]);
/** An answer is in the log long before; a program that is told late is told all the same. */
const SETTLE_MS = 10_000;

export function composeAgents(
  { config, readEnv }: Surface,
  parts: AgentParts,
  opened: AsyncDisposableStack,
): Agents {
  const termsOf = settleTerms(config, parts.toolbox);
  const settingsOf = new Map(
    config.crew.map(({ id, runtime }) => [id, own(config.runtimes, runtime)]),
  );
  const hookSecrets = new Set<string>();
  const secrets = (): readonly string[] => [...parts.secrets(), ...hookSecrets];
  const openBridgePorts = createBridgePorts(parts, secrets);
  const timers = machineTimers;
  const byHand = createHandPrograms({
    sessions: parts.bridge,
    crew: config.crew,
    secretOf(agentId) {
      const settings = settingsOf.get(agentId);
      return settings?.type === "claude-code" ? handSecret(settings, readEnv) : undefined;
    },
    toolsOf: (agentId) => termsOf(agentId).tools.declarations,
    openPorts: openBridgePorts,
    timers,
    now: () => clock.now(),
  });
  const deps = {
    timers,
    openToolDoor: createBridgeDoor(parts.bridge, byHand.open),
    openBridgePorts,
    secrets: parts.secrets,
    hookSecrets,
    onGuess: (address: string) => parts.attempts.failed(address, "hooks"),
  };
  // By which the processes of agents are known again; without any there is none to be found.
  const mark = ids.next();
  const readMarked: ReadEnv = (name) => (name === AGENT_VARIABLE ? mark : readEnv(name));
  const hasPrograms = Object.values(config.runtimes).some(({ type }) => PROGRAMS.has(type));
  return {
    termsOf,
    isOfAgent: hasPrograms ? createIsOfAgent(mark) : () => false,
    bindByHand: byHand.bind,
    runtimeOf: chooseRuntimes(config, readMarked, deps, opened),
  };
}

/** What is said here is said beside a turn, so no runtime has masked it. */
function createBridgePorts(
  { toolbox, asking, reports }: AgentParts,
  secrets: () => readonly string[],
): OpenBridgePorts {
  return (key, { id: agentId }) => ({
    ask: (request, runId, signal) =>
      asking.requestPermission({ key, runId, agentId }, maskedWithin(request, secrets()), signal),
    speak(text) {
      const { signal } = new AbortController();
      const input = maskedWithin({ text }, secrets());
      return toolbox.call(REPLY, input, { key, runId: null, agentId, signal });
    },
    async settled(runId) {
      await reports().wait(runId, AbortSignal.timeout(SETTLE_MS));
    },
  });
}

function chooseRuntimes(
  config: Pick<Config, "crew" | "runtimes">,
  readEnv: ReadEnv,
  deps: RuntimeDeps,
  opened: AsyncDisposableStack,
): (agentId: string) => AgentRuntime {
  const open = (settings: Config["runtimes"]): ReadonlyMap<string, AgentRuntime> => {
    const runtimes = createRuntimes(settings, readEnv, deps);
    for (const runtime of runtimes.values()) opened.defer(() => runtime.close?.());
    return runtimes;
  };
  const everyones = open(config.runtimes);
  // Those who share a folder of their own share the runtime that works there.
  const placed = new Map<string, AgentRuntime | undefined>();
  const runtimeOf = ({ runtime: name, cwd }: CrewSettings): AgentRuntime | undefined => {
    const settings = own(config.runtimes, name);
    const moved = settings === undefined || cwd === undefined ? undefined : inFolder(settings, cwd);
    if (moved === undefined) return everyones.get(name);
    const place = JSON.stringify([name, cwd]);
    if (!placed.has(place)) placed.set(place, open({ [name]: moved }).get(name));
    return placed.get(place);
  };
  const chosen = new Map(config.crew.map((member) => [member.id, runtimeOf(member)]));
  return (agentId) => {
    const runtime = chosen.get(agentId);
    if (runtime === undefined) throw new Fault("an agent without a runtime", { agentId });
    return runtime;
  };
}

function settleTerms(
  { crew, budgets, limits }: Pick<Config, "crew" | "budgets" | "limits">,
  toolbox: Toolbox,
): TermsOf {
  const terms = new Map(
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
    const found = terms.get(agentId);
    if (found === undefined) throw new Fault("an agent without terms", { agentId });
    return found;
  };
}

/** A name that is written wrong would take a tool away without a word. What nodes offer is not known beforehand. */
function checkTools({ id, tools = [] }: CrewSettings, { declarations }: Toolbox): void {
  const names = declarations.map(({ name }) => name);
  const wrong = exactNames(tools).find(
    (name) => !names.includes(name) && !name.startsWith(NODE_TOOL_PREFIX),
  );
  if (wrong === undefined) return;
  throw new ConfigError(
    `agents: ${id}: there is no tool "${wrong}"; there are: ${names.join(", ")}, and ${NODE_TOOL_PREFIX}… of nodes`,
  );
}
