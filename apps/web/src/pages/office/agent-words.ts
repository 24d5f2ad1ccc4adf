/** What an agent does, in a few words for its label, the floor plan and the outline. Pure. */
import type { WorldAgent, WorldTask } from "@atrium/wire/world";
import type { Words } from "../../words/catalogue.ts";

const LONGEST = 34;

export interface Seen {
  readonly agent: WorldAgent;
  readonly isAsking: boolean;
  readonly isGhost: boolean;
}

export function whatItDoes(
  { agent, isAsking, isGhost }: Seen,
  tasks: readonly WorldTask[],
  words: Words,
): string {
  if (isAsking) return words.agentDoes.SeekingUserDecision;
  if (isGhost) return words.agentUnheard;
  if (agent.is_paused === true) return words.agentPaused;
  const title = tasks.find(({ task_id }) => task_id === agent.task_id)?.title;
  return agent.state === "WorkingAtPOI" && title !== undefined
    ? shorten(title)
    : words.agentDoes[agent.state];
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).trimEnd()}…`;
}
