/** Who does the work, put together: runtimes for the crew and the director of their turns. Part of compose.ts. */
import { setTimeout } from "node:timers/promises";
import { Fault } from "@atrium/core";
import type { AgentRuntime } from "./agents/agent-runtime.ts";
import { createRuntimes } from "./agents/runtimes.ts";
import { machineTimers } from "./asking/timers.ts";
import type { State } from "./compose-state.ts";
import { createBridgeDoor } from "./compose-tool-door.ts";
import { createDirector, type Director, type DirectorDeps } from "./director/director.ts";
import { clock, ids } from "./machine.ts";
import type { BridgeSessions } from "./rooms/bridge/bridge-sessions.ts";
import type { Surface } from "./surface.ts";

export function composeDirector(
  surface: Surface,
  state: State,
  turns: Pick<DirectorDeps, "asking" | "blobs" | "tools" | "runtimeOf">,
): Director {
  const { config, report } = surface;
  const { budgets } = config;
  return createDirector({
    ...state,
    ...turns,
    crew: config.crew,
    budgets: { run: budgets.run.tokens, conversation: budgets.conversation.tokens },
    limits: config.limits,
    ids,
    now: () => clock.now(),
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    report,
  });
}

export function chooseRuntimes(
  { config, readEnv }: Surface,
  sessions: () => BridgeSessions,
  opened: AsyncDisposableStack,
): (agentId: string) => AgentRuntime {
  const openToolDoor = createBridgeDoor(sessions, ids);
  const runtimes = createRuntimes(config.runtimes, readEnv, {
    timers: machineTimers,
    openToolDoor,
  });
  for (const runtime of runtimes.values()) opened.defer(() => runtime.close?.());
  const chosen = new Map(config.crew.map(({ id, runtime }) => [id, runtimes.get(runtime)]));
  return (agentId) => {
    const runtime = chosen.get(agentId);
    if (runtime === undefined) throw new Fault("an agent without a runtime", { agentId });
    return runtime;
  };
}
