/** Which files are meant by a version of a change: those it has, and those it is compared with. */
import {
  accept,
  refuse,
  type Artifact,
  type ChangeFacts,
  type Outcome,
  type WorkspacesProjection,
} from "@atrium/core";

export interface FoundChange {
  readonly artifact: Artifact;
  readonly version: number;
  readonly change: ChangeFacts;
  readonly repositoryId: string;
}

/** What a version is compared with: what it was made on, the conflict that it resolves, or another version. */
export type Against = "base" | "conflict" | number;

export interface FindChangeDeps {
  readonly findArtifact: (artifactId: string) => Artifact | undefined;
  readonly workspaces: Pick<WorkspacesProjection, "get">;
}

/** No version: the newest. */
export type FindChange = (artifactId: string, version?: number) => Outcome<FoundChange>;

export function createFindChange({ findArtifact, workspaces }: FindChangeDeps): FindChange {
  return (artifactId, version) => {
    const artifact = findArtifact(artifactId);
    if (artifact === undefined) return refuse("artifact.missing", artifactId.slice(0, 200));
    const change = changeIn(artifact, version ?? artifact.version);
    if (!change.ok) return change;
    const repositoryId = workspaces.get(artifact.taskId)?.repositoryId;
    if (repositoryId === undefined) return refuse("workspace.missing", artifact.taskId);
    const found = { artifact, version: version ?? artifact.version, change: change.value };
    return accept({ ...found, repositoryId });
  };
}

function changeIn({ artifactId, versions }: Artifact, wanted: number): Outcome<ChangeFacts> {
  const version = versions.find((each) => each.version === wanted);
  if (version === undefined) {
    return refuse("artifact.missing", `${artifactId} has no version ${wanted}`);
  }
  return version.change === undefined
    ? refuse("artifact.document", `${artifactId} version ${wanted}`)
    : accept(version.change);
}

/** The files that a version is compared with. */
export function treeAgainst(found: FoundChange, against: Against): Outcome<string> {
  const { artifact, version, change } = found;
  if (against === "base") return accept(change.base);
  if (against === "conflict") {
    return change.conflictTree === undefined
      ? refuse("params.invalid", `against: version ${version} resolves no conflict`)
      : accept(change.conflictTree);
  }
  const other = changeIn(artifact, against);
  return other.ok ? accept(other.value.tree) : other;
}
