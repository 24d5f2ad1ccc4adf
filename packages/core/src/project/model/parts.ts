/** One task or artifact of a project, looked up or changed. */
import type { Artifact, Project, Task } from "./entities.ts";

export function withTask(project: Project, taskId: string, change: Partial<Task>): Project {
  const tasks = project.tasks.map((task) =>
    task.taskId === taskId ? { ...task, ...change } : task,
  );
  return { ...project, tasks };
}

export function withArtifact(
  project: Project,
  artifactId: string,
  change: Partial<Artifact>,
): Project {
  const artifacts = project.artifacts.map((artifact) =>
    artifact.artifactId === artifactId ? { ...artifact, ...change } : artifact,
  );
  return { ...project, artifacts };
}

export function taskOf(project: Project, taskId: string): Task | undefined {
  return project.tasks.find((task) => task.taskId === taskId);
}
