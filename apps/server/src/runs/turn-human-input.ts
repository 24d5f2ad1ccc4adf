/** Asking, as the director hands it to an agent's turn. */
import type { CrewMember } from "@atrium/core";
import type { Asking, TurnAsker } from "../human-input/human-input.ts";
import type { About, Asking as TurnAsking } from "./run-driver.ts";
import type { TurnClocks } from "./turn-clocks.ts";

export interface AskForTurnsDeps {
  readonly asking: Pick<Asking, "ask" | "requestPermission">;
  readonly crew: readonly CrewMember[];
  readonly clocks: Pick<TurnClocks, "hold">;
  /** How long a turn waits for people. */
  readonly timeoutMs: number;
}

export function askForTurns({ asking, crew, clocks, timeoutMs }: AskForTurnsDeps): TurnAsking {
  const asker = ({ key, runId, agentId }: About): TurnAsker & { timeoutMs: number } => ({
    agent: crew.find(({ id }) => id === agentId)?.handle ?? agentId,
    conversationKey: key,
    runId,
    timeoutMs,
  });
  const held = <Answer>({ runId }: About, answer: Promise<Answer>): Promise<Answer> =>
    runId === null ? answer : clocks.hold(runId, answer);
  return {
    ask: (about, { text, options, isClosed }, signal) =>
      held(about, asking.ask({ ...asker(about), text, options, isClosed }, signal)),
    requestPermission: (about, request, signal) =>
      held(about, asking.requestPermission({ ...asker(about), ...request }, signal)),
  };
}
