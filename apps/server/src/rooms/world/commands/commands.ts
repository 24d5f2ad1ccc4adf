/**
 * What people ask of the world, in the core's words: look the thing up, translate, dispatch. Whether it
 * may happen is decided there.
 */
import { accept, project, refuse, type Outcome, type ProjectCommand } from "@atrium/core";
import {
  isWorldCommand,
  WORLD_COMMANDS,
  worldCommand,
  type WorldCommandData,
  type WorldCommandName,
} from "@atrium/wire/world";
import type { CallKey } from "../../../pipeline/idempotency.ts";
import { implement, type Method } from "../../../pipeline/method-router.ts";
import { MEETING_TABLE, MAX_PARTICIPANTS } from "../../../projects/work/places.ts";
import { cleanText, titleOf } from "../messages/clean-text.ts";
import { ProblemReply, problemOf } from "../messages/problem.ts";
import {
  commandContext,
  guardsOf,
  type CommandContext,
  type WorldCaller,
} from "./command-context.ts";
import { createAnswerDecision, type DecisionDeps } from "./decisions.ts";
import { createMoveCommands, type MoveDeps } from "./player.ts";
import { createRequestCommands, type RequestDeps } from "./requests.ts";

type Handlers = {
  readonly [Name in WorldCommandName]: (
    data: WorldCommandData<Name>,
    context: CommandContext,
  ) => Promise<Outcome<unknown>> | Outcome<unknown>;
};

export type CommandDeps = DecisionDeps & RequestDeps & MoveDeps;

/** The table of commands, in the order of their declarations. */
export function createCommands(deps: CommandDeps): readonly Method<WorldCaller>[] {
  const handlers: Handlers = {
    ...createRequestCommands(deps),
    ...createMoveCommands(deps),
    ...createTaskCommands(deps),
    ...createReviewCommands(deps),
    resolve_decision: createAnswerDecision(deps),
  };
  const names = Object.keys(WORLD_COMMANDS).filter(isWorldCommand);
  return names.map((name) => implementCommand(name, handlers[name]));
}

function implementCommand<Name extends WorldCommandName>(
  name: Name,
  handler: Handlers[Name],
): Method<WorldCaller> {
  return implement<ReturnType<typeof worldCommand<Name>>, WorldCaller>(
    worldCommand(name),
    async (data, context) => {
      const outcome = await handler(data, commandContext(context));
      return outcome.ok ? outcome : accept(new ProblemReply(problemOf(outcome)));
    },
  );
}

type TaskCommands = Pick<
  Handlers,
  "assign_task" | "reassign_task" | "auto_assign" | "cancel_task" | "rerun_task"
>;

function createTaskCommands(deps: CommandDeps): TaskCommands {
  const { projects, crew, clock } = deps;
  const send = sender(deps);

  const ofTask = (taskId: string): Outcome<string> => {
    const found = projects.ofTask(taskId);
    return found === undefined ? refuse("task.missing", taskId) : accept(found.project.projectId);
  };

  const assign =
    (isReassignment: boolean): Handlers["assign_task"] =>
    (data, { key, by }) => {
      const { task_id: taskId, agent_id: agentId } = data;
      if (!crew.some(({ id }) => id === agentId)) return refuse("agent.unknown", agentId);
      const guards = guardsOf(data);
      const command = { taskId, agentId, by, isReassignment, guards, at: clock.now() };
      return send(ofTask(taskId), { type: "assign", ...command }, key);
    };

  return {
    assign_task: assign(false),
    reassign_task: assign(true),
    auto_assign(data, { key }) {
      const { project_id: projectId } = data;
      const candidates = deps.candidates();
      const command = { candidates, guards: guardsOf(data), at: clock.now() };
      return send(accept(projectId), { type: "auto-assign", ...command }, key);
    },
    cancel_task(data, { key, by }) {
      const { task_id: taskId } = data;
      const command = { taskId, by, guards: guardsOf(data), at: clock.now() };
      return send(ofTask(taskId), { type: "cancel-task", ...command }, key);
    },
    rerun_task(data, { key, by }) {
      const { task_id: taskId } = data;
      const command = { taskId, by, guards: guardsOf(data), at: clock.now() };
      return send(ofTask(taskId), { type: "rerun-task", ...command }, key);
    },
  };
}

type ReviewCommands = Pick<
  Handlers,
  | "approve_artifact"
  | "request_changes"
  | "split_into_tasks"
  | "start_kickoff"
  | "pause_project"
  | "resume_project"
  | "cancel_project"
>;

function createReviewCommands(deps: CommandDeps): ReviewCommands {
  const { projects, clock, crew } = deps;
  const send = sender(deps);

  const ofArtifact = (artifactId: string): Outcome<string> => {
    const found = projects.ofArtifact(artifactId);
    if (found === undefined) return refuse("artifact.missing", artifactId);
    return accept(found.project.projectId);
  };

  return {
    approve_artifact(data, { key, by }) {
      const { artifact_id: artifactId } = data;
      const command = { artifactId, by, guards: guardsOf(data), at: clock.now() };
      return send(ofArtifact(artifactId), { type: "approve", ...command }, key);
    },
    request_changes(data, { key, by }) {
      const { artifact_id: artifactId } = data;
      const instructions = cleanText(data.instructions);
      const command = { artifactId, instructions, by, guards: guardsOf(data), at: clock.now() };
      return send(ofArtifact(artifactId), { type: "request-changes", ...command }, key);
    },
    split_into_tasks(data, { key, by }) {
      const { artifact_id: artifactId } = data;
      const titles = data.task_titles.map((title) => titleOf(cleanText(title)));
      const command = { artifactId, titles, by, guards: guardsOf(data), at: clock.now() };
      return send(ofArtifact(artifactId), { type: "split", ...command }, key);
    },
    start_kickoff(data, { key }) {
      const participants = crew.slice(0, MAX_PARTICIPANTS).map(({ id }) => id);
      const command = {
        participants,
        poiId: MEETING_TABLE,
        guards: guardsOf(data),
        at: clock.now(),
      };
      return send(accept(data.project_id), { type: "start-kickoff", ...command }, key);
    },
    pause_project(data, { key, by }) {
      const reason = cleanText(data.reason ?? "");
      const command = { reason, by, guards: guardsOf(data), at: clock.now() };
      return send(accept(data.project_id), { type: "pause", ...command }, key);
    },
    resume_project(data, { key, by }) {
      const command = { by, guards: guardsOf(data), at: clock.now() };
      return send(accept(data.project_id), { type: "resume", ...command }, key);
    },
    cancel_project(data, { key, by }) {
      const command = { by, guards: guardsOf(data), at: clock.now() };
      return send(accept(data.project_id), { type: "cancel", ...command }, key);
    },
  };
}

type Send = (
  projectId: Outcome<string>,
  command: ProjectCommand,
  key: CallKey | undefined,
) => Promise<Outcome<unknown>> | Outcome<unknown>;

/** To a project that there is: asking for one that is not must not leave a trace. */
function sender({ dispatch, projects }: CommandDeps): Send {
  return (projectId, command, key) => {
    if (!projectId.ok) return projectId;
    const { value: id } = projectId;
    if (projects.get(id) === undefined) return refuse("project.missing", id);
    return dispatch(project, id, command, key);
  };
}
