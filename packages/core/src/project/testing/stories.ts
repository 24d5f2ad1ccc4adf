/** Commands of a project, and a project that takes them, for its tests. */
import assert from "node:assert/strict";
import type { Outcome } from "../../engine/refusal.ts";
import type { Answerer } from "../../people/answerer.ts";
import type { ProjectCommand } from "../model/commands.ts";
import type { DraftTask, Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { project } from "../project.ts";

export const ann: Answerer = { id: "ann", name: "Ann", via: "world" };

export const at = 1_000;

export const usage = { inputTokens: 10, outputTokens: 5 };

const SHELF = "poi_delivery_shelf";

const content = { name: "plan.md", mediaType: "text/markdown", bytes: 3, digest: "abc" };

/** A project that takes commands and remembers what came of them. */
export class Story {
  state = project.initial;
  readonly events: ProjectEvent[] = [];

  try(command: ProjectCommand): Outcome<readonly ProjectEvent[]> {
    const outcome = project.decide(this.state, command);
    if (outcome.ok) {
      for (const event of outcome.value) this.state = project.evolve(this.state, event);
      this.events.push(...outcome.value);
    }
    return outcome;
  }

  do(...commands: readonly ProjectCommand[]): this {
    for (const command of commands) {
      const outcome = this.try(command);
      assert.ok(outcome.ok, outcome.ok ? "" : `${command.type}: ${outcome.code} ${outcome.detail}`);
    }
    return this;
  }

  get project(): Project {
    assert.ok(this.state);
    return this.state;
  }

  names(): readonly string[] {
    return this.events.map(({ type }) => type.replace("project.", ""));
  }
}

export const submit = {
  type: "submit",
  at,
  projectId: "proj_abc",
  title: "A page",
  text: "Make a page",
  constraints: {},
  attachments: [],
  by: ann,
} as const satisfies ProjectCommand;

export const draft = (title: string, role: string | null = null): DraftTask => ({
  title,
  description: "",
  role,
});

export const planned = (...titles: readonly string[]): Story =>
  new Story().do(
    submit,
    { type: "accept", at },
    { type: "start-kickoff", at, participants: ["agent_bd"], poiId: "poi_meeting_table" },
    { type: "start-planning", at, runId: "plan-1" },
    {
      type: "plan",
      at,
      runId: "plan-1",
      title: null,
      summary: "Two things",
      tasks: titles.map((title) => draft(title)),
    },
  );

export const assign = (taskId: string, agentId = "agent_eng_1"): ProjectCommand => ({
  type: "assign",
  at,
  taskId,
  agentId,
  by: ann,
  isReassignment: false,
});

export const start = (taskId: string, runId: string): ProjectCommand => ({
  type: "start-task",
  at,
  taskId,
  runId,
});

export const make = (taskId: string, runId: string, name = "plan.md"): ProjectCommand => ({
  type: "create-artifact",
  at,
  taskId,
  runId,
  made: { name, kind: "document", content: { ...content, name } },
});

export const finish = (taskId: string, runId: string): ProjectCommand => ({
  type: "finish-work",
  at,
  taskId,
  runId,
  usage,
  poiId: SHELF,
});

export const deliver = (taskId: string): ProjectCommand => ({
  type: "deliver",
  at,
  taskId,
  poiId: SHELF,
});

export const approve = (artifactId: string): ProjectCommand => ({
  type: "approve",
  at,
  artifactId,
  by: ann,
});

export const reviewed = (): Story =>
  planned("One", "Two").do(
    assign("task_abc_1"),
    start("task_abc_1", "r1"),
    make("task_abc_1", "r1"),
    finish("task_abc_1", "r1"),
  );
