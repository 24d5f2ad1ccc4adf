/** A plan out of what an agent said: JSON, alone or among other words. */
import { planProblem, type DraftTask } from "@atrium/core";
import { checkLater, Type } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import { describeIssues } from "../../platform/issues.ts";

export interface Plan {
  readonly title: string | null;
  readonly summary: string;
  readonly tasks: readonly DraftTask[];
}

export type ReadPlan =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly why: string };

const PlanShape = Type.Object({
  title: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
  tasks: Type.Array(
    Type.Object({
      title: Type.String(),
      description: Type.Optional(Type.String()),
      role: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});
const shape = checkLater(PlanShape);
const MAX_TITLE_CHARS = 120;
const MAX_TEXT_CHARS = 4_000;

export function readPlan(answer: string): ReadPlan {
  const found = jsonIn(answer);
  if (found === undefined) return no("there is no JSON object in it");
  if (!shape.Check(found)) return no(describeIssues(shape.Errors(found)));
  const tasks = found.tasks.map(({ title, description = "", role = null }) => ({
    title: title.trim().slice(0, MAX_TITLE_CHARS),
    description: description.trim().slice(0, MAX_TEXT_CHARS),
    role,
  }));
  const flaw = planProblem(tasks);
  if (flaw !== undefined) return no(flaw);
  const title = found.title?.trim().slice(0, MAX_TITLE_CHARS) ?? "";
  const summary = (found.summary ?? "").trim().slice(0, MAX_TEXT_CHARS);
  return { ok: true, plan: { title: title === "" ? null : title, summary, tasks } };
}

function no(why: string): ReadPlan {
  return { ok: false, why };
}

/** Models like to put it between other words or into a fence. */
function jsonIn(answer: string): unknown {
  const fenced = [...answer.matchAll(/```(?:json)?\s*([\s\S]*?)```/g)].map(
    (match) => match[1] ?? "",
  );
  const braced = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  for (const text of [answer, ...fenced, braced]) {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  }
  return undefined;
}
