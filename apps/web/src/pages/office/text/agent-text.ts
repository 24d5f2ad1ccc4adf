/** What an agent does, in a few words for its label, the floor plan and the outline. Pure. */
import type { WorldAgent, WorldTask } from "@atrium/wire/world";
import type { Texts } from "../../../i18n/texts.ts";

const MAX_CHARS = 34;
const IS_AT_REST: ReadonlySet<WorldAgent["state"]> = new Set(["IdleAtHome", "BlockedWaiting"]);

export interface AgentActivity {
  readonly agent: WorldAgent;
  readonly isAsking: boolean;
  readonly isGhost: boolean;
}

export function whatItDoes(
  { agent, isAsking, isGhost }: AgentActivity,
  tasks: readonly WorldTask[],
  words: Texts,
): string {
  const { status } = agent;
  if (isAsking) return words.agentStatuses.asks;
  if (isGhost) return words.agentUnheard;
  if (agent.is_paused === true) return words.agentPaused;
  // Whoever is on the way somewhere is said to be; how its work stands is said when it has got there.
  if ((status === "failed" || status === "in_review") && IS_AT_REST.has(agent.state)) {
    return words.agentStatuses[status];
  }
  const doing = agent.joined?.doing;
  if (doing !== undefined && agent.state === "WorkingAtPOI") return shorten(doing);
  const title = tasks.find(({ task_id }) => task_id === agent.task_id)?.title;
  return agent.state === "WorkingAtPOI" && title !== undefined
    ? shorten(title)
    : words.agentDoes[agent.state];
}

function shorten(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1).trimEnd()}…`;
}
