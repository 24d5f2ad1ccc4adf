/** What one version of an artifact is: the text of a document, or the files of a change and the patch of each. */
import {
  describeRefusal,
  isWorkKey,
  ownRepositoryId,
  type Artifact,
  type ArtifactVersion,
  type ChangeFacts,
  type CrewMember,
  type Project,
} from "@atrium/core";
import { Type } from "@atrium/schema";
import type { ToolResult } from "../../agents/turn/agent-runtime.ts";
import type { Blobs } from "../../platform/blobs.ts";
import { cutLongText } from "../../platform/long-text.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import { defineTool, objection } from "../define-tool.ts";
import { plainResult } from "../files/workspace-tool.ts";
import type { Tool } from "../toolbox.ts";
import { artifactLine, commentLines } from "./describe-artifact.ts";
import { describeFiles } from "./describe-files.ts";
import { NO_PROJECT } from "./find-task.ts";
import { isText } from "./is-text.ts";
import { projectOfTalk, type ProjectFinder } from "./project-of-talk.ts";

export interface ReadArtifactDeps {
  readonly projects: ProjectFinder;
  readonly crew: readonly CrewMember[];
  readonly blobs: Pick<Blobs, "get">;
  readonly useWorkspaces: () => Promise<Pick<Workspaces, "compareTrees" | "readPatch">>;
}

export function readArtifactTool(deps: ReadArtifactDeps): Tool {
  return defineTool({
    name: "read_artifact",
    description:
      "Reads what a task of the project you work on has handed over: the text of a document; of a change its files, its checks and its open comments, or with `path` the patch of one file.",
    input: {
      artifactId: Type.String({ minLength: 1, maxLength: 200 }),
      version: Type.Optional(
        Type.Integer({ minimum: 1, description: "Left out: the newest version." }),
      ),
      path: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4_096, description: "Of a file in a change." }),
      ),
    },
    isFor: isWorkKey,
    async call({ artifactId, version, path }, { key }) {
      const project = projectOfTalk(deps.projects, key);
      if (project === undefined) return objection(NO_PROJECT);
      const artifact = project.artifacts.find((each) => each.artifactId === artifactId);
      if (artifact === undefined) {
        return objection("The project has no such artifact. list_artifacts shows what there is.");
      }
      const wanted = version ?? artifact.version;
      const found = artifact.versions.find((each) => each.version === wanted);
      if (found === undefined) {
        return objection(`It has versions 1 to ${artifact.version}, and no version ${wanted}.`);
      }
      const { change } = found;
      if (change === undefined && path !== undefined) {
        return objection("It is a document, so it has no files. Leave out path.");
      }
      if (change === undefined) return readDocument(deps, artifact, project, found);
      return path === undefined
        ? readChange(deps, artifact, project, change)
        : readPatch(deps, project, change, path);
    },
  });
}

async function readDocument(
  { blobs, crew }: ReadArtifactDeps,
  artifact: Artifact,
  project: Project,
  { version, mediaType, bytes, digest }: ArtifactVersion,
): Promise<ToolResult> {
  const head = `${artifactLine(artifact, project, crew)}\nVersion ${version}: ${mediaType}, ${bytes} bytes`;
  if (!isText(mediaType)) return plainResult(`${head}. It is not text.`);
  const content = await blobs.get(digest).catch(() => undefined);
  if (content === undefined) return objection(`${head}. Its content is no longer stored.`);
  return plainResult(`${head}\n\n${cutLongText(content.toString("utf8"))}`);
}

async function readChange(
  { useWorkspaces, crew }: ReadArtifactDeps,
  artifact: Artifact,
  project: Project,
  { base, commit, omitted, flagged }: ChangeFacts,
): Promise<ToolResult> {
  const git = await useWorkspaces();
  const compared = await git.compareTrees(repositoryOf(project), base, commit);
  if (!compared.ok) return objection(describeRefusal(compared));
  const checks = artifact.checks?.results.map(({ name, verdict }) => `check ${name}: ${verdict}`);
  const text = [
    artifactLine(artifact, project, crew),
    describeFiles(compared.value),
    ...omitted.map(({ path, why }) => `left out ${path} (${why})`),
    ...flagged.map((path) => `edits a check or a lock file: ${path}`),
    ...(checks ?? []),
    ...commentLines(artifact),
  ].join("\n");
  return plainResult(cutLongText(text));
}

async function readPatch(
  { useWorkspaces }: ReadArtifactDeps,
  project: Project,
  { base: from, commit: to }: ChangeFacts,
  path: string,
): Promise<ToolResult> {
  const git = await useWorkspaces();
  const patch = await git.readPatch(repositoryOf(project), { from, to, path });
  if (!patch.ok && patch.code === "file.missing") {
    return objection(`${path} is not in it. Call read_artifact without path to see what is.`);
  }
  if (!patch.ok) return objection(describeRefusal(patch));
  return patch.value.type === "patch"
    ? plainResult(cutLongText(patch.value.text))
    : objection(`The patch of ${path} is too large to be shown.`);
}

function repositoryOf({ repository, projectId }: Project): string {
  return repository ?? ownRepositoryId(projectId);
}
