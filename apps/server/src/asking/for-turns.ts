/** Asking, as the director hands it to an agent's turn. */
import type { CrewMember } from "@atrium/core";
import type { About, Asking as TurnAsking } from "../director/drive.ts";
import type { Asking, TurnAsker } from "./asking.ts";

export function askForTurns(
  asking: Pick<Asking, "ask" | "requestPermission">,
  crew: readonly CrewMember[],
): TurnAsking {
  const asker = ({ key, runId, agentId }: About): TurnAsker => ({
    agent: crew.find(({ id }) => id === agentId)?.handle ?? agentId,
    conversationKey: key,
    runId,
  });
  return {
    ask: (about, { text, options }, signal) =>
      asking.ask({ ...asker(about), text, options }, signal),
    requestPermission: (about, { tool, summary }, signal) =>
      asking.requestPermission({ ...asker(about), tool, summary }, signal),
  };
}
