/**
 * Changes the plan of a project, for a person: what is to change is found possible first, shown whole to people, and done
 * in the name of whoever said yes.
 */
import {
  describeRefusal,
  project as projectAggregate,
  type Answerer,
  type Clock,
  type CrewMember,
  type Dispatch,
  type Project,
  type Projects,
} from "@atrium/core";
import { Type } from "@atrium/schema";
import type { ToolResult } from "../../agents/turn/agent-runtime.ts";
import type { TurnConsultation } from "../../runs/turn-human-input.ts";
import { defineTool, objection, outsideTurn, textResult } from "../define-tool.ts";
import type { Tool } from "../toolbox.ts";
import { callId } from "./call-id.ts";
import { findProject } from "./find-project.ts";
import { isFrontDeskTalk } from "./front-desk-talk.ts";
import { PlanChanges, readChanges, type PlannedChange } from "./plan-changes.ts";
import { quoted } from "./project-facts.ts";

export interface ChangePlanDeps {
  readonly projects: Pick<Projects, "get" | "list">;
  readonly crew: readonly CrewMember[];
  readonly humanInput: TurnConsultation;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
}

const YES = "Change the plan";
const NO = "Leave it as it is";
const UNANSWERED = "Nobody answered in time, so the plan is as it was. Say that the offer stands.";

export function changePlanTool(deps: ChangePlanDeps): Tool {
  const { projects, crew, humanInput } = deps;
  return defineTool({
    name: "change_plan",
    description:
      "Changes the plan of a project: adds, edits, removes, reorders or assigns tasks. A person is asked first, with all the changes.",
    input: {
      project: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Its id, or words of its title.",
        }),
      ),
      changes: PlanChanges,
    },
    waitsForPeople: true,
    isFor: isFrontDeskTalk,
    async call({ project: wanted, changes }, { key, runId, agentId, signal }) {
      if (runId === null) return outsideTurn("change_plan");
      const found = findProject(projects, wanted);
      if ("problem" in found) return objection(found.problem);
      const { project } = found;
      const id = callId("plan", runId, [project.projectId, changes]);
      const read = readChanges(project, changes, crew);
      if ("problem" in read) return objection(read.problem);
      const list = read.changes.map(({ words }) => `- ${words}`).join("\n");
      const text = `Shall I change the plan of ${quoted(project.title)}?\n\n${list}`;
      const question = { id, text, options: [YES, NO], isClosed: true };
      const answered = await humanInput.consult({ key, runId, agentId }, question, signal);
      if (answered === null) return objection(UNANSWERED);
      const { answer, by } = answered;
      if (!answer.startsWith(YES)) return textResult({ changed: false, answer });
      return change(deps, project, read.changes, { id, by });
    },
  });
}

/** Each on its own: the project may have gone on while people thought about it. */
async function change(
  { dispatch, clock }: ChangePlanDeps,
  { projectId }: Project,
  changes: readonly PlannedChange[],
  { id, by }: { readonly id: string; readonly by: Answerer },
): Promise<ToolResult> {
  const results: string[] = [];
  let failed = 0;
  for (const [at, { words, command }] of changes.entries()) {
    const once = { id: `${id}:${at}`, digest: id };
    const done = await dispatch(projectAggregate, projectId, command(by, clock.now()), once);
    if (!done.ok) failed += 1;
    results.push(done.ok ? `done: ${words}` : `not done: ${words} (${describeRefusal(done)})`);
  }
  return failed === changes.length
    ? objection(results.join("\n"))
    : textResult({ changed: true, by: by.name, results });
}
