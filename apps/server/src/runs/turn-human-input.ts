/** Questions and permission requests of one turn: the run is named as the asker, and its clock stops while it waits. */
import type { CrewMember } from "@atrium/core";
import type { TurnQuestion } from "../agents/turn/agent-runtime.ts";
import type { HumanInput, PersonAnswer, RequestingRun } from "../human-input/human-input.ts";
import type { RunOrigin, TurnHumanInput } from "./run-driver.ts";
import type { TurnClocks } from "./turn-clocks.ts";

export interface TurnHumanInputDeps {
  readonly humanInput: Pick<HumanInput, "ask" | "consult" | "requestPermission">;
  readonly crew: readonly CrewMember[];
  readonly clocks: Pick<TurnClocks, "hold">;
  readonly limits: { readonly answerTimeoutMs: number };
}

export interface TurnConsultation {
  /** Who answers is told too; null: nobody did. The same id asks once. */
  consult(
    about: RunOrigin,
    question: TurnQuestion & { readonly id: string },
    signal: AbortSignal,
  ): Promise<PersonAnswer | null>;
}

export function createTurnHumanInput({
  humanInput,
  crew,
  clocks,
  limits,
}: TurnHumanInputDeps): TurnHumanInput & TurnConsultation {
  const asker = ({ key, runId, agentId }: RunOrigin): RequestingRun & { timeoutMs: number } => ({
    agent: crew.find(({ id }) => id === agentId)?.handle ?? agentId,
    conversationKey: key,
    runId,
    timeoutMs: limits.answerTimeoutMs,
  });
  const held = <Answer>({ runId }: RunOrigin, answer: Promise<Answer>): Promise<Answer> =>
    runId === null ? answer : clocks.hold(runId, answer);
  return {
    ask: (about, { text, options, isClosed }, signal) =>
      held(about, humanInput.ask({ ...asker(about), text, options, isClosed }, signal)),
    consult: (about, question, signal) =>
      held(about, humanInput.consult({ ...asker(about), ...question }, signal)),
    requestPermission: (about, request, signal) =>
      held(about, humanInput.requestPermission({ ...asker(about), ...request }, signal)),
  };
}
