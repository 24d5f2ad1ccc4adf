/** What a build or a project has handed over: the commit that others may have. */
import {
  accept,
  ownRepositoryId,
  refuse,
  type Outcome,
  type Projects,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Workspaces } from "../workspaces/port/workspaces.ts";

export interface Handover {
  readonly repositoryId: string;
  readonly commit: string;
  readonly tree: string;
  /** The commit it was made on. */
  readonly base: string;
}

export interface FindHandoverDeps {
  readonly workspaces: Pick<WorkspacesProjection, "get">;
  readonly projects: Pick<Projects, "get">;
  readonly isBuild: (id: string) => Promise<boolean>;
  readonly use: () => Promise<Pick<Workspaces, "findLine">>;
}

type Find = (id: string) => Promise<Outcome<Handover>>;

export interface FindHandover {
  readonly ofBuild: Find;
  readonly ofProject: Find;
  /** Of either. */
  readonly of: Find;
}

export function createFindHandover(deps: FindHandoverDeps): FindHandover {
  const { workspaces, projects, isBuild, use } = deps;
  const ofBuild: Find = async (id) => {
    const row = workspaces.get(id);
    const isOfBuild = row !== undefined && row.purpose.type === "build";
    if (!isOfBuild && !(await isBuild(id))) return refuse("build.missing", id.slice(0, 200));
    if (!isOfBuild || row.sealed === null) return refuse("handover.missing", id);
    const { commit, tree, base } = row.sealed;
    return accept({ repositoryId: row.repositoryId, commit, tree, base });
  };
  const ofProject: Find = async (id) => {
    const project = projects.get(id);
    if (project === undefined) return refuse("project.missing", id.slice(0, 200));
    if (project.line === null) return refuse("handover.missing", id);
    const repositoryId = project.repository ?? ownRepositoryId(id);
    const line = await (await use()).findLine(repositoryId, id);
    if (!line.ok) return line;
    if (line.value === undefined) return refuse("handover.missing", id);
    return accept({ repositoryId, ...line.value });
  };
  return {
    ofBuild,
    ofProject,
    of: (id) => (projects.get(id) === undefined ? ofBuild(id) : ofProject(id)),
  };
}
