/** A plan out of what an agent said: JSON, alone or among other words. */
import { planProblem, type DraftTask } from "@atrium/core";
import { checkLater, Type, type Static, type TSchema } from "@atrium/schema";
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

/** What is null is left out: models fill in what they were shown. */
const orNull = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const PlannedTask = Type.Object({
  title: Type.String(),
  description: orNull(Type.String()),
  role: orNull(Type.String()),
  kind: orNull(Type.Union([Type.Literal("change"), Type.Literal("document")])),
  after: orNull(Type.Array(Type.Number())),
  accept: orNull(Type.Array(Type.String())),
  verify: orNull(Type.Array(Type.String())),
});
const PlanShape = Type.Object({
  title: orNull(Type.String()),
  summary: orNull(Type.String()),
  tasks: Type.Array(PlannedTask),
});
const shape = checkLater(PlanShape);
const MAX_TITLE_CHARS = 120;
const MAX_TEXT_CHARS = 4_000;
const MAX_FENCES = 20;

export function readPlan(answer: string): ReadPlan {
  const found = jsonIn(answer);
  if (found === undefined) return no("there is no JSON object in it");
  if (!shape.Check(found)) return no(describeIssues(shape.Errors(found)));
  const tasks = found.tasks.map(draftOf);
  const flaw = planProblem(tasks);
  if (flaw !== undefined) return no(flaw);
  const title = found.title?.trim().slice(0, MAX_TITLE_CHARS) ?? "";
  const summary = (found.summary ?? "").trim().slice(0, MAX_TEXT_CHARS);
  return { ok: true, plan: { title: title === "" ? null : title, summary, tasks } };
}

function draftOf(task: Static<typeof PlannedTask>): DraftTask {
  const { title, description, role, kind, after, accept, verify } = task;
  return {
    title: title.trim().slice(0, MAX_TITLE_CHARS),
    description: (description ?? "").trim().slice(0, MAX_TEXT_CHARS),
    role: role?.trim().slice(0, MAX_TITLE_CHARS) ?? null,
    ...(kind && { kind }),
    ...(after && after.length > 0 && { after }),
    ...(accept && accept.length > 0 && { accept: accept.map((each) => each.trim()) }),
    ...(verify && verify.length > 0 && { verify: verify.map((each) => each.trim()) }),
  };
}

function no(why: string): ReadPlan {
  return { ok: false, why };
}

/** Models like to put it between other words or into a fence. */
function jsonIn(answer: string): unknown {
  const fences = answer.matchAll(/```(?:json)?([^]*?)```/g).take(MAX_FENCES);
  const fenced = fences.map((match) => match[1] ?? "");
  const braced = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  for (const text of [answer, ...fenced, braced]) {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  }
  return undefined;
}
