/** Every project as it stands, found by its own id or by that of a task, artifact or decision in it. */
import type { Entry } from "@atrium/log";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import type { Artifact, Decision, Project, Task } from "../project/model/entities.ts";
import { project } from "../project/project.ts";

export interface Projects extends Projection<Saved> {
  get(projectId: string): Project | undefined;
  /** In the order they were asked for. */
  list(): Iterable<Project>;
  ofTask(taskId: string): { readonly project: Project; readonly task: Task } | undefined;
  ofArtifact(
    artifactId: string,
  ): { readonly project: Project; readonly artifact: Artifact } | undefined;
  ofDecision(
    decisionId: string,
  ): { readonly project: Project; readonly decision: Decision } | undefined;
  /** By the question or approval behind it. */
  ofRef(ref: string): { readonly project: Project; readonly decision: Decision } | undefined;
  /** By the run that works, or worked last, on a task or a plan. */
  ofRun(runId: string): { readonly project: Project; readonly task: Task | null } | undefined;
}

interface Saved {
  readonly projects: readonly Project[];
  /** Not all can be told from the projects: a task forgets its run when the next one starts. */
  readonly homes: readonly (readonly [id: string, projectId: string])[];
}

function* idsIn({ tasks, artifacts, decisions, planRunId }: Project): Iterable<string> {
  for (const { taskId, runId } of tasks) {
    yield taskId;
    if (runId !== null) yield runId;
  }
  for (const { artifactId } of artifacts) yield artifactId;
  for (const { decisionId, ref } of decisions) {
    yield decisionId;
    yield ref;
  }
  if (planRunId !== null) yield planRunId;
}

export function createProjects(): Projects {
  const projects = new Map<string, Project>();
  /** Which project something is in, by its id: they never change hands. */
  const homes = new Map<string, string>();

  function keep(next: Project): void {
    const { projectId } = next;
    const ids = [...idsIn(next)];
    projects.set(projectId, next);
    for (const id of ids) homes.set(id, projectId);
  }

  const homeOf = (id: string): Project | undefined => projects.get(homes.get(id) ?? "");

  function decisionBy(id: string, matches: (decision: Decision) => boolean) {
    const home = homeOf(id);
    const decision = home?.decisions.find(matches);
    return home && decision && { project: home, decision };
  }

  return {
    name: "projects",
    version: 9,
    get: (projectId) => projects.get(projectId),
    list: () => projects.values(),
    ofTask(taskId) {
      const home = homeOf(taskId);
      const task = home?.tasks.find((each) => each.taskId === taskId);
      return home && task && { project: home, task };
    },
    ofArtifact(artifactId) {
      const home = homeOf(artifactId);
      const artifact = home?.artifacts.find((each) => each.artifactId === artifactId);
      return home && artifact && { project: home, artifact };
    },
    ofDecision: (decisionId) => decisionBy(decisionId, (each) => each.decisionId === decisionId),
    ofRef: (ref) => decisionBy(ref, (each) => each.ref === ref),
    ofRun(runId) {
      const home = homeOf(runId);
      if (home === undefined) return undefined;
      return { project: home, task: home.tasks.find((each) => each.runId === runId) ?? null };
    },
    apply(entry: Entry) {
      const id = idIn(project, entry.stream);
      if (id === undefined) return;
      const next = project.evolve(projects.get(id) ?? null, project.read(entry));
      if (next !== null) keep(next);
    },
    save: () => ({ projects: [...projects.values()], homes: [...homes] }) satisfies Saved,
    load(kept) {
      projects.clear();
      homes.clear();
      for (const each of kept.projects) projects.set(each.projectId, each);
      for (const [id, projectId] of kept.homes) homes.set(id, projectId);
    },
  };
}
