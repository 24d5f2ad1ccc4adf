/** Joined sessions as those who work on tasks: by their own turns, on terms of their own. Part of compose.ts. */
import type { JoinedSessions, Projects } from "@atrium/core";
import { settleBudgets } from "../../agents/settings/agent-settings.ts";
import type { AgentRuntime } from "../../agents/turn/agent-runtime.ts";
import { createGuests, type Guests } from "../../joined/tasks/guests.ts";
import { JoinedTurns } from "../../joined/tasks/joined-turns.ts";
import { systemTimers } from "../../platform/timers.ts";
import type { AgentPolicyOf, AgentTools } from "../../runs/agent-policy.ts";
import type { Config } from "../../settings/read-config.ts";

export interface OpenGuests extends Guests {
  readonly turns: JoinedTurns;
}

interface GuestState {
  readonly joinedSessions: JoinedSessions;
  readonly projects: Projects;
}

interface CrewTerms {
  readonly runtimeOf: (agentId: string, key?: string) => AgentRuntime;
  readonly policyOf: AgentPolicyOf;
}

/** A session of a person works as long as the person does. */
const TURN_TIMEOUT_MS = 7 * 24 * 60 * 60_000;

/** They bring their own. */
const NO_TOOLS: AgentTools = {
  names: [],
  declarations: [],
  declarationsFor: () => [],
  inputProblem: () => "a joined session has no tools of Atrium",
  call: async () => ({ text: "A joined session has no tools of Atrium.", isError: true }),
};

export function composeGuests({ joinedSessions, projects }: GuestState): OpenGuests {
  const guests = createGuests({ sessions: joinedSessions, projects });
  return { ...guests, turns: new JoinedTurns(systemTimers) };
}

/** The crew's terms, and those of guests. */
export function withGuests(
  { guestOf, turns }: OpenGuests,
  { budgets }: Pick<Config, "budgets">,
  crew: CrewTerms,
): CrewTerms & Pick<Guests, "guestOf"> {
  return {
    guestOf,
    runtimeOf: (agentId, key) =>
      guestOf(agentId) === undefined ? crew.runtimeOf(agentId, key) : turns.runtime,
    policyOf: (agentId) =>
      guestOf(agentId) === undefined
        ? crew.policyOf(agentId)
        : { tools: NO_TOOLS, budgets: settleBudgets({}, budgets), timeoutMs: TURN_TIMEOUT_MS },
  };
}
