/**
 * Makes a project of what someone asked for at the front desk. An agent decides nothing for people: one of them is asked
 * first with the whole request, and the project is theirs.
 */
import type { Answerer, Outcome } from "@atrium/core";
import { Type } from "@atrium/schema";
import type { TurnConsultation } from "../../runs/turn-human-input.ts";
import { defineTool, objection, outsideTurn, refusedResult, textResult } from "../define-tool.ts";
import type { Tool } from "../toolbox.ts";
import { callId } from "./call-id.ts";
import { isFrontDeskTalk } from "./front-desk-talk.ts";

export interface SubmitRequestToolDeps {
  readonly humanInput: TurnConsultation;
  readonly repositories: { list(): readonly { readonly id: string }[] };
  readonly submitRequest: (
    request: { readonly text: string; readonly by: Answerer; readonly repository?: string },
    once: { readonly id: string; readonly digest: string },
  ) => Promise<Outcome<string>>;
}

const MAX_CHARS = 10_000;
const YES = "Make it a project";
const NO = "Not now";
const UNANSWERED =
  "Nobody answered in time, so nothing was made. Say that the offer stands; people can also submit the request themselves.";

export function submitRequestTool(deps: SubmitRequestToolDeps): Tool {
  const { humanInput, repositories, submitRequest } = deps;
  return defineTool({
    name: "submit_request",
    description:
      "Makes a project of what someone wants to have made: the team plans it and people hand out its tasks. A person is asked before it is made. Returns the id of the project.",
    input: {
      text: Type.String({
        minLength: 1,
        maxLength: MAX_CHARS,
        description: "All that was asked for, in the words of whoever wants it.",
      }),
      repository: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "The id of the repository to work on. Left out: a new one of its own.",
        }),
      ),
    },
    waitsForPeople: true,
    isFor: isFrontDeskTalk,
    async call({ text, repository }, about) {
      const { key, runId, agentId, signal } = about;
      if (runId === null) return outsideTurn("submit_request");
      const known = repositories.list().map((each) => each.id);
      if (repository !== undefined && !known.includes(repository)) {
        return objection(unknownRepository(repository, known));
      }
      const where =
        repository === undefined ? "a repository of its own" : `the repository ${repository}`;
      const id = callId("request", runId, [text, repository ?? null]);
      const question = {
        id,
        text: `Shall I make a project of this, in ${where}?\n\n${text}`,
        options: [YES, NO],
        isClosed: true,
      };
      const answered = await humanInput.consult({ key, runId, agentId }, question, signal);
      if (answered === null) return objection(UNANSWERED);
      const { answer, by } = answered;
      if (!answer.startsWith(YES)) return textResult({ made: false, answer });
      const request = { text, by, ...(repository !== undefined && { repository }) };
      const made = await submitRequest(request, { id, digest: id });
      return made.ok
        ? textResult({ made: true, projectId: made.value, answer })
        : refusedResult(made);
    },
  });
}

function unknownRepository(wanted: string, known: readonly string[]): string {
  const hint = known.length === 0 ? "None is attached; leave it out." : `Use: ${known.join(", ")}.`;
  return `There is no repository ${JSON.stringify(wanted)}. ${hint}`;
}
