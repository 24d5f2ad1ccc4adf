/** What follows when a change was checked, approved, taken back, or its project is brought up to date. */
import {
  describeRefusal,
  type Artifact,
  type Outcome,
  type Project,
  type ProjectEventOf,
} from "@atrium/core";
import type { Entry } from "@atrium/log";
import type { ApprovedChange } from "../work/changes.ts";
import type { ProjectCommands } from "../work/project-commands.ts";

interface Moment<Event> {
  readonly commands: ProjectCommands;
  readonly entry: Entry;
  readonly of: Project;
  readonly event: Event;
}

/** Merged at once; what has landed already, or was never a change, is left alone. */
export async function landApproved({
  commands,
  entry,
  of,
  event,
}: Moment<ProjectEventOf<"project.review_approved">>): Promise<void> {
  const artifact = of.artifacts.find((each) => each.artifactId === event.artifactId);
  if (artifact?.landing?.state !== "pending") return;
  const { projectId } = of;
  const { artifactId, version } = artifact;
  const change = changeOf(of, artifact, entry, event.by.name);
  if (change === undefined) return;
  const done = await commands.persist(() => commands.deps.changes.land(change));
  const about = { artifactId, version };
  if (!done.ok) {
    const reason = `It could not be merged: ${describeRefusal(done)}`;
    await commands.dispatch(projectId, { type: "fail-landing", ...about, reason }, entry);
  } else if (done.value.type === "landed") {
    const { commit, before } = done.value;
    await commands.dispatch(projectId, { type: "land-change", ...about, commit, before }, entry);
  } else {
    const { with: tip, paths } = done.value;
    const conflict = { ...about, with: tip, paths };
    await commands.dispatch(projectId, { type: "conflict-change", ...conflict }, entry);
  }
}

export async function revertLanded({
  commands,
  entry,
  of,
  event,
}: Moment<ProjectEventOf<"project.revert_requested">>): Promise<void> {
  const artifact = of.artifacts.find((each) => each.artifactId === event.artifactId);
  const commit = artifact?.landing?.landed?.commit;
  if (artifact?.landing?.state !== "reverting" || commit === undefined) return;
  const change = changeOf(of, artifact, entry, event.by.name);
  if (change === undefined) return;
  const { projectId } = of;
  const { artifactId } = artifact;
  const done = await commands.persist(() => commands.deps.changes.revert({ ...change, commit }));
  if (done.ok && done.value.type === "landed") {
    const { type: _, ...reverted } = done.value;
    await commands.dispatch(projectId, { type: "revert-change", artifactId, ...reverted }, entry);
    return;
  }
  const refusal = whyNot(done, "Later changes build on it");
  await commands.dispatch(projectId, { type: "refuse-revert", artifactId, ...refusal }, entry);
}

export async function updateLine({
  commands,
  entry,
  of,
}: Moment<ProjectEventOf<"project.update_requested">>): Promise<void> {
  if (!of.isUpdating) return;
  const { projectId, line } = of;
  const { at, seq } = entry;
  const done = await commands.persist(() => commands.deps.changes.update({ projectId, at, seq }));
  if (!done.ok || done.value.type === "conflict") {
    const refusal = whyNot(done, "The repository and the project have changed the same");
    await commands.dispatch(projectId, { type: "refuse-update", ...refusal }, entry);
    return;
  }
  const { base } = done.value;
  const current = { commit: line ?? base, before: line ?? base };
  const { commit, before } = done.value.type === "landed" ? done.value : current;
  await commands.dispatch(projectId, { type: "update-line", commit, before, base }, entry);
}

function whyNot(
  done: Outcome<{ readonly type: string; readonly paths?: Paths }>,
  conflict: string,
): { readonly reason: string; readonly paths: Paths } {
  if (!done.ok) return { reason: describeRefusal(done), paths: [] };
  const paths = done.value.paths ?? [];
  return { reason: `${conflict}: ${paths.map(({ path }) => path).join(", ")}`, paths };
}

type Paths = readonly { readonly path: string; readonly kind: string }[];

function changeOf(
  { projectId, tasks }: Project,
  { artifactId, taskId, version, versions, name }: Artifact,
  { at, seq }: Entry,
  by: string,
): ApprovedChange | undefined {
  const newest = versions.at(-1);
  const commit = newest?.change?.commit;
  if (newest === undefined || commit === undefined) return undefined;
  const title = tasks.find((task) => task.taskId === taskId)?.title ?? name;
  const { runId } = newest;
  return { projectId, taskId, artifactId, version, commit, runId, title, by, at, seq };
}
