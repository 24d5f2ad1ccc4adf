/** Another try from a moment: a new task or build with the files of then, and what was said until then. */
import {
  accept,
  findUndecidable,
  project,
  refuse,
  type Answerer,
  type BuildRow,
  type Clock,
  type Dispatch,
  type ForkOrigin,
  type Guards,
  type Outcome,
} from "@atrium/core";
import type { Key } from "@atrium/log";
import type { BuildCommands } from "../builds/build-commands.ts";
import type { FindMoment } from "./find-moment.ts";
import type { PastFiles, WorkspaceReceipt } from "./restore-files.ts";

export interface ForkRequest extends PastFiles {
  /** What is to be done otherwise; null: the same again. */
  readonly instructions: string | null;
  readonly guards?: Guards;
}

export type ForkWork = (
  request: ForkRequest,
  by: Answerer,
  once?: Key,
) => Promise<Outcome<WorkspaceReceipt>>;

export interface ForkWorkDeps {
  readonly dispatch: Dispatch;
  readonly findMoment: Pick<FindMoment, "ofWorkspace">;
  readonly findBuild: (id: string) => Promise<BuildRow | undefined>;
  readonly builds: Pick<BuildCommands, "start">;
  readonly clock: Clock;
}

export function createForkWork(deps: ForkWorkDeps): ForkWork {
  const { dispatch, findMoment, findBuild, builds, clock } = deps;

  async function forkTask(
    projectId: string,
    from: ForkOrigin,
    { workspaceId: taskId, instructions, guards = {} }: ForkRequest,
    by: Answerer,
    once?: Key,
  ): Promise<Outcome<WorkspaceReceipt>> {
    const fork = { taskId, from, instructions, by, guards };
    const command = { type: "fork-task", at: clock.now(), ...fork } as const;
    const done = await dispatch(project, projectId, command, once);
    if (!done.ok) return done;
    const { events, position } = done.value;
    const created = events.find((event) => event.type === "project.tasks_created");
    return accept({ workspaceId: created?.tasks[0]?.taskId ?? taskId, seq: position.seq });
  }

  async function forkBuild(
    from: ForkOrigin,
    { workspaceId: buildId, instructions }: ForkRequest,
    once?: Key,
  ): Promise<Outcome<WorkspaceReceipt>> {
    const row = await findBuild(buildId);
    if (row === undefined) return refuse("build.missing", buildId);
    const { prompt, handle: agent, repository } = row.build;
    const wish = instructions === null ? prompt : `${prompt}\n\n${instructions}`;
    const named = repository === null ? {} : { repository };
    const started = await builds.start({ prompt: wish, agent, ...named, forkedFrom: from }, once);
    return started.ok ? accept({ workspaceId: started.value.id, seq: started.value.seq }) : started;
  }

  return async (request, by, once) => {
    const undecided = findUndecidable({ by });
    if (undecided !== undefined) return refuse(undecided);
    const { workspaceId, seq } = request;
    const found = await findMoment.ofWorkspace(workspaceId, seq);
    if (!found.ok) return found;
    const { workspace: row, tree } = found.value;
    const from = { workspaceId, seq, tree };
    return row.purpose.type === "task"
      ? forkTask(row.purpose.projectId, from, request, by, once)
      : forkBuild(from, request, once);
  };
}
