/**
 * Changes to a plan as an agent words them, in the words of the project and of people. They are decided on the plan as it
 * stands before anyone is asked, so that nobody is asked for what cannot be done. Pure.
 */
import {
  accept,
  describeRefusal,
  project as projectAggregate,
  refuse,
  type Answerer,
  type CrewMember,
  type Outcome,
  type Project,
  type ProjectCommand,
  type TaskEdit,
} from "@atrium/core";
import { Type, type Static } from "@atrium/schema";
import { quoted } from "./project-facts.ts";

const MAX_CHANGES = 20;
const MAX_ITEMS = 12;
const MAX_CHARS = 4_000;
const MAX_SHOWN_CHARS = 5_000;

const TaskRef = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })], {
  description: "The id of a task, or its number in the plan as it is before these changes.",
});
const Text = Type.String({ minLength: 1, maxLength: MAX_CHARS });
const Texts = Type.Array(Text, { maxItems: MAX_ITEMS });

export const PlanChange = Type.Object(
  {
    do: Type.Union(
      [
        Type.Literal("add"),
        Type.Literal("edit"),
        Type.Literal("remove"),
        Type.Literal("order"),
        Type.Literal("assign"),
      ],
      {
        description:
          "add: a task with a title. edit: the members given, of `task`. remove: `task`, which nobody has begun. order: all tasks, in `order`. assign: `task` to `agent`.",
      },
    ),
    task: Type.Optional(TaskRef),
    title: Type.Optional(Text),
    description: Type.Optional(Text),
    role: Type.Optional(Text),
    after: Type.Optional(
      Type.Array(TaskRef, { maxItems: MAX_ITEMS, description: "Tasks that must be done before." }),
    ),
    accept: Type.Optional(Texts),
    verify: Type.Optional(Texts),
    kind: Type.Optional(Type.Union([Type.Literal("change"), Type.Literal("document")])),
    before: Type.Optional(TaskRef),
    order: Type.Optional(Type.Array(TaskRef)),
    agent: Type.Optional(Text),
  },
  { additionalProperties: false },
);
export type PlanChange = Static<typeof PlanChange>;
export const PlanChanges = Type.Array(PlanChange, { minItems: 1, maxItems: MAX_CHANGES });

/** A change that can be made: what it does, in words, and as a command of whoever wants it. */
export interface PlannedChange {
  readonly words: string;
  readonly command: (by: Answerer, at: number) => ProjectCommand;
}

/** Nobody: for finding out whether something could be done. */
const ANYONE: Answerer = { id: "", name: "", via: "" };

/** Why it cannot be done, or all of the changes in order. */
export function readChanges(
  project: Project,
  changes: readonly PlanChange[],
  crew: readonly CrewMember[],
): { readonly problem: string } | { readonly changes: readonly PlannedChange[] } {
  const read: PlannedChange[] = [];
  let state: Project | null = project;
  for (const [at, change] of changes.entries()) {
    const planned = readChange({ project, state, crew }, change);
    const next: Outcome<Project | null> = planned.ok ? tryOut(state, planned.value) : planned;
    if (!planned.ok || !next.ok) {
      const why = next.ok ? "" : describeRefusal(next);
      return {
        problem: `Nothing was changed. Change ${at + 1} (${change.do}) is not possible: ${why}`,
      };
    }
    state = next.value;
    read.push(planned.value);
  }
  return { changes: read };
}

function tryOut(state: Project | null, { command }: PlannedChange): Outcome<Project | null> {
  const decided = projectAggregate.decide(state, command(ANYONE, 0));
  if (!decided.ok) return decided;
  return accept(decided.value.reduce((now, event) => projectAggregate.evolve(now, event), state));
}

interface PlanView {
  /** As it is before the changes. */
  readonly project: Project;
  /** After those that come before. */
  readonly state: Project | null;
  readonly crew: readonly CrewMember[];
}

const missing = (what: string): Outcome<never> => refuse("params.invalid", `${what} is missing`);

function readChange(view: PlanView, change: PlanChange): Outcome<PlannedChange> {
  const { project, state, crew } = view;
  const idOf = (ref: Static<typeof TaskRef>): string =>
    (typeof ref === "number" ? project.tasks[ref - 1]?.taskId : ref) ?? `task ${ref}`;
  const titleOf = (taskId: string): string =>
    quoted(project.tasks.find((each) => each.taskId === taskId)?.title ?? taskId);
  const taskId = change.task === undefined ? undefined : idOf(change.task);
  const edit = editOf(change, idOf);
  switch (change.do) {
    case "add": {
      if (change.title === undefined) return missing("title");
      const { title, description = "", role = null, after = [], ...more } = edit;
      const draft = { ...more, title: title ?? change.title, description, role };
      const before = change.before === undefined ? null : idOf(change.before);
      const where = before === null ? "" : ` before ${titleOf(before)}`;
      return accept({
        words: `add ${quoted(change.title)}${where}${memberWords(edit, titleOf)}`,
        command: (by, at) => ({ type: "add-task", at, draft, after, before, by }),
      });
    }
    case "edit": {
      if (taskId === undefined) return missing("task");
      if (Object.keys(edit).length === 0) return missing("what is to be changed");
      const named = edit.title === undefined ? "" : `\n  title: ${quoted(edit.title)}`;
      return accept({
        words: `change ${titleOf(taskId)}:${named}${memberWords(edit, titleOf)}`,
        command: (by, at) => ({ type: "edit-task", at, taskId, changes: edit, by }),
      });
    }
    case "remove":
      if (taskId === undefined) return missing("task");
      return accept({
        words: `remove ${titleOf(taskId)}`,
        command: (by, at) => ({ type: "remove-task", at, taskId, by }),
      });
    case "order": {
      if (change.order === undefined) return missing("order");
      const taskIds = change.order.map(idOf);
      return accept({
        words: `put the tasks in this order: ${taskIds.map(titleOf).join(", ")}`,
        command: (by, at) => ({ type: "reorder-tasks", at, taskIds, by }),
      });
    }
    case "assign": {
      if (taskId === undefined) return missing("task");
      const wanted = change.agent?.trim().toLowerCase() ?? "";
      const agent = crew.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
      if (agent === undefined) return refuse("agent.unknown", change.agent ?? "none was named");
      const task = state?.tasks.find((each) => each.taskId === taskId);
      const isReassignment = task !== undefined && task.assignee !== null;
      return accept({
        words: `give ${titleOf(taskId)} to ${agent.name}`,
        command: (by, at) => {
          return { type: "assign", at, taskId, agentId: agent.id, by, isReassignment };
        },
      });
    }
  }
}

function editOf(
  { title, description, role, after, accept: criteria, verify, kind }: PlanChange,
  idOf: (ref: Static<typeof TaskRef>) => string,
): TaskEdit {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(role !== undefined && { role }),
    ...(after !== undefined && { after: after.map(idOf) }),
    ...(criteria !== undefined && { accept: criteria }),
    ...(verify !== undefined && { verify }),
    ...(kind !== undefined && { kind }),
  };
}

/** A line for each member, because whoever says yes to them has to have read them. */
function memberWords(
  { title: _title, after, ...members }: TaskEdit,
  titleOf: (taskId: string) => string,
): string {
  const texts = Object.entries(members).map(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const shown = values.map((each) => quoted(String(each), MAX_SHOWN_CHARS)).join(", ");
    return `\n  ${name}: ${shown === "" ? "none" : shown}`;
  });
  const order = after?.map(titleOf).join(", ");
  return [...texts, ...(order === undefined ? [] : [`\n  after: ${order || "none"}`])].join("");
}
