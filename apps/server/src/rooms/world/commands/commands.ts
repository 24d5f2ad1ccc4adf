/**
 * What people ask of the world, in the core's words: look the thing up, translate, dispatch. Whether it
 * may happen is decided there.
 */
import { accept, refuse, type Candidate, type Outcome } from "@atrium/core";
import {
  isWorldCommand,
  WORLD_COMMANDS,
  worldCommand,
  type WorldCommandName,
} from "@atrium/wire/world";
import { implement, type Method } from "../../../pipeline/method-router.ts";
import { cleanText } from "../../../platform/clean-text.ts";
import { MEETING_TABLE, MAX_PARTICIPANTS } from "../../../projects/work/places.ts";
import { ProblemReply, problemOf } from "../messages/problem.ts";
import { commandContext, type CommandHandlers, type WorldCaller } from "./command-context.ts";
import { createAnswerDecision, type DecisionDeps } from "./decisions.ts";
import { createJoinedCommands, type JoinedDeps } from "./joined.ts";
import { createPlanCommands } from "./plan-edits.ts";
import { createMoveCommands, type MoveDeps } from "./player.ts";
import { createRequestCommands, type RequestDeps } from "./requests.ts";
import { createSend } from "./send-to-project.ts";
import { createTaskFilesCommands, type TaskFilesDeps } from "./task-files.ts";
import { createVerdictCommands, type VerdictDeps } from "./verdicts.ts";

interface AssignmentDeps {
  /** Whom tasks may be given to, and how much each has to do. */
  readonly candidates: () => readonly Candidate[];
  /** Whether a joined session may be given that task; refused also when it is none. */
  readonly admitTask: (agentId: string, taskId: string) => Outcome<null>;
}

export type CommandDeps = DecisionDeps &
  RequestDeps &
  MoveDeps &
  JoinedDeps &
  TaskFilesDeps &
  AssignmentDeps &
  VerdictDeps;

export function createCommands(deps: CommandDeps): readonly Method<WorldCaller>[] {
  const handlers: CommandHandlers = {
    ...createRequestCommands(deps),
    ...createMoveCommands(deps),
    ...createJoinedCommands(deps),
    ...createTaskCommands(deps),
    ...createPlanCommands(deps),
    ...createTaskFilesCommands(deps),
    ...createVerdictCommands(deps),
    ...createProjectCommands(deps),
    resolve_decision: createAnswerDecision(deps),
  };
  const names = Object.keys(WORLD_COMMANDS).filter(isWorldCommand);
  return names.map((name) => implementCommand(name, handlers[name]));
}

function implementCommand<Name extends WorldCommandName>(
  name: Name,
  handler: CommandHandlers[Name],
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
  CommandHandlers,
  "assign_task" | "reassign_task" | "auto_assign" | "cancel_task" | "rerun_task"
>;

function createTaskCommands(deps: CommandDeps): TaskCommands {
  const send = createSend(deps);

  const ofTask = (taskId: string): Outcome<string> => {
    const found = deps.projects.ofTask(taskId);
    return found === undefined ? refuse("task.missing", taskId) : accept(found.project.projectId);
  };

  const assign =
    (isReassignment: boolean): CommandHandlers["assign_task"] =>
    (data, context) => {
      const { task_id: taskId, agent_id: agentId } = data;
      const isOfCrew = deps.crew.some(({ id }) => id === agentId);
      const admitted = isOfCrew ? accept(null) : deps.admitTask(agentId, taskId);
      if (!admitted.ok) return admitted;
      const command = { type: "assign", taskId, agentId, by: context.by, isReassignment } as const;
      return send(ofTask(taskId), command, data, context);
    };

  const onTask =
    (type: "cancel-task" | "rerun-task"): CommandHandlers["rerun_task"] =>
    (data, context) => {
      const { task_id: taskId } = data;
      return send(ofTask(taskId), { type, taskId, by: context.by }, data, context);
    };

  return {
    assign_task: assign(false),
    reassign_task: assign(true),
    auto_assign(data, context) {
      const command = { type: "auto-assign", candidates: deps.candidates() } as const;
      return send(accept(data.project_id), command, data, context);
    },
    cancel_task: onTask("cancel-task"),
    rerun_task: onTask("rerun-task"),
  };
}

type ProjectCommands = Pick<
  CommandHandlers,
  "start_kickoff" | "pause_project" | "resume_project" | "cancel_project" | "update_project"
>;

function createProjectCommands(deps: CommandDeps): ProjectCommands {
  const send = createSend(deps);

  const onProject =
    (type: "resume" | "cancel" | "request-update"): CommandHandlers["resume_project"] =>
    (data, context) =>
      send(accept(data.project_id), { type, by: context.by }, data, context);

  return {
    start_kickoff(data, context) {
      const participants = deps.crew.slice(0, MAX_PARTICIPANTS).map(({ id }) => id);
      const command = { type: "start-kickoff", participants, poiId: MEETING_TABLE } as const;
      return send(accept(data.project_id), command, data, context);
    },
    pause_project(data, context) {
      const reason = cleanText(data.reason ?? "");
      const command = { type: "pause", reason, by: context.by } as const;
      return send(accept(data.project_id), command, data, context);
    },
    resume_project: onProject("resume"),
    cancel_project: onProject("cancel"),
    update_project: onProject("request-update"),
  };
}
