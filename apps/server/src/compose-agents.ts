/**
 * The crew put to work: each member with its runtime, and on its terms. Part of compose.ts, and imported by it alone.
 */
import { Fault } from "@atrium/core";
import { own } from "@atrium/wire";
import type { AgentRuntime } from "./agents/agent-runtime.ts";
import { settleBudgets } from "./agents/agent-settings.ts";
import type { CrewSettings } from "./agents/crew.ts";
import { createRuntimes, type RuntimeDeps } from "./agents/runtimes.ts";
import { inFolder } from "./agents/settings.ts";
import { machineTimers } from "./asking/timers.ts";
import { createBridgeDoor } from "./compose-tool-door.ts";
import { ConfigError } from "./config-error.ts";
import type { Config } from "./config.ts";
import type { TermsOf } from "./director/terms.ts";
import { ids } from "./machine.ts";
import type { BridgeSessions } from "./rooms/bridge/bridge-sessions.ts";
import { NODE_TOOL_PREFIX } from "./rooms/gateway/nodes/node-tools.ts";
import type { Surface } from "./surface.ts";
import { allowTools, exactNames } from "./tools/allowed-tools.ts";
import type { Toolbox } from "./tools/toolbox.ts";

type ReadEnv = (name: string) => string | undefined;

export interface Agents {
  readonly runtimeOf: (agentId: string) => AgentRuntime;
  readonly termsOf: TermsOf;
}

export function composeAgents(
  { config, readEnv }: Surface,
  { toolbox, bridge }: { readonly toolbox: Toolbox; readonly bridge: () => BridgeSessions },
  opened: AsyncDisposableStack,
): Agents {
  const termsOf = settleTerms(config, toolbox);
  const deps = { timers: machineTimers, openToolDoor: createBridgeDoor(bridge, ids) };
  return { termsOf, runtimeOf: chooseRuntimes(config, readEnv, deps, opened) };
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
