/** The project that is planned or worked on in a conversation, whoever asked for the run. */
import { workIdOfKey, type Project, type Projects } from "@atrium/core";

export type ProjectFinder = Pick<Projects, "get" | "ofTask">;

export function projectOfTalk(projects: ProjectFinder, key: string): Project | undefined {
  const id = workIdOfKey(key) ?? "";
  return projects.ofTask(id)?.project ?? projects.get(id);
}
