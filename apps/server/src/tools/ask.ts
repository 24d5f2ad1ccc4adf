/** Asks the people something and waits for their answer. */
import { Type } from "@atrium/schema";
import { createQuestionQuota } from "../runs/question-quota.ts";
import type { TurnHumanInput } from "../runs/run-driver.ts";
import { defineTool, objection, outsideTurn, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface AskDeps {
  readonly humanInput: Pick<TurnHumanInput, "ask">;
}

const NO_ANSWER =
  "Nobody answered in time. Decide yourself and say what you assumed, or end your turn and say what you need to know.";

const ENOUGH =
  "You have asked enough questions in this turn. Nobody was asked. Decide yourself and say what you assumed, or end your turn and say what you need to know.";

export function askTool({ humanInput }: AskDeps): Tool {
  const mayAsk = createQuestionQuota();
  return defineTool({
    name: "ask",
    description:
      "Asks the people here a question that only they can decide, and waits for the answer. Give options where there are some.",
    input: {
      question: Type.String({ minLength: 1, maxLength: 2_000 }),
      options: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 10 }),
      ),
      only_options: Type.Optional(
        Type.Boolean({ description: "True: the answer must be one of the options." }),
      ),
    },
    waitsForPeople: true,
    async call({ question, options = [], only_options = false }, about) {
      const { key, runId, agentId, signal } = about;
      if (runId === null) return outsideTurn("ask");
      if (!mayAsk(runId)) return objection(ENOUGH);
      const draft = { text: question, options, isClosed: only_options };
      const answer = await humanInput.ask({ key, runId, agentId }, draft, signal);
      if (answer === null) return objection(NO_ANSWER);
      return textResult({ answer });
    },
  });
}
