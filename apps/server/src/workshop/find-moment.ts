/** Which files are meant: those of a task or build at a position of the log. */
import {
  accept,
  refuse,
  type MomentAt,
  type Moment,
  type Outcome,
  type Projects,
  type WorkspaceRow,
  type WorkspacesProjection,
} from "@atrium/core";

export interface FoundMoment extends Moment {
  readonly workspace: WorkspaceRow;
}

export interface FindMomentDeps {
  readonly workspaces: Pick<WorkspacesProjection, "get" | "ofProject">;
  readonly projects: Pick<Projects, "get">;
  readonly isBuild: (id: string) => Promise<boolean>;
  readonly momentAt: MomentAt;
  readonly head: () => number;
}

export interface FindMoment {
  /** Of one of its tasks; where none is named, of the one that changed last. No position: now. */
  ofProject(projectId: string, taskId?: string, seq?: number): Promise<Outcome<FoundMoment>>;
  ofBuild(buildId: string, seq?: number): Promise<Outcome<FoundMoment>>;
  /** Of the task or build with that id. */
  ofWorkspace(workspaceId: string, seq?: number): Promise<Outcome<FoundMoment>>;
}

export function createFindMoment(deps: FindMomentDeps): FindMoment {
  const { workspaces, projects, isBuild, momentAt, head } = deps;

  const checked = (seq = head()): Outcome<number> =>
    seq > head()
      ? refuse("params.invalid", `seq ${seq} is after the newest entry, which is ${head()}`)
      : accept(seq);

  /** The newest of several. */
  async function among(
    id: string,
    rows: readonly WorkspaceRow[],
    wanted: number | undefined,
  ): Promise<Outcome<FoundMoment>> {
    const seq = checked(wanted);
    if (!seq.ok) return seq;
    let found: FoundMoment | undefined;
    for (const workspace of rows) {
      const moment = await momentAt(workspace, seq.value);
      if (moment !== undefined && moment.seq > (found?.seq ?? 0)) found = { workspace, ...moment };
    }
    return found === undefined
      ? refuse("moment.missing", `nothing was worked on in ${id} up to ${seq.value}`)
      : accept(found);
  }

  const ofWorkspace: FindMoment["ofWorkspace"] = async (id, seq) => {
    const row = workspaces.get(id);
    return row === undefined ? refuse("workspace.missing", id) : among(id, [row], seq);
  };

  return {
    ofWorkspace,
    async ofProject(projectId, taskId, seq) {
      const project = projects.get(projectId);
      if (project === undefined) return refuse("project.missing", projectId);
      if (taskId === undefined) return among(projectId, workspaces.ofProject(projectId), seq);
      if (!project.tasks.some((task) => task.taskId === taskId)) {
        return refuse("task.missing", `${taskId} is no task of ${projectId}`);
      }
      const row = workspaces.get(taskId);
      return among(taskId, row === undefined ? [] : [row], seq);
    },
    async ofBuild(buildId, seq) {
      const row = workspaces.get(buildId);
      if (row !== undefined && row.purpose.type === "build") return among(buildId, [row], seq);
      return (await isBuild(buildId)) ? among(buildId, [], seq) : refuse("build.missing", buildId);
    },
  };
}
