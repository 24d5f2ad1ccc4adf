/** Steps that tests of projects take: a request, its plan, its review. */
import type { Project } from "@atrium/core";
import { ann, type ProjectStage } from "./project-stage.ts";

export const REQUEST = "Create a landing page plan + copy + design brief";
export const isPlanned = ({ status }: Project): boolean => status === "planned";

export function isIn(status: string): (project: Project) => boolean {
  return ({ tasks }) => tasks.every((task) => task.status === status);
}

export async function planned(stage: ProjectStage, text = REQUEST): Promise<void> {
  await stage.submit(text);
  await stage.until("a plan", isPlanned);
}

export const candidates = [
  { agentId: "agent_research_1", role: "researcher", load: 0 },
  { agentId: "agent_eng_1", role: "engineer", load: 0 },
  { agentId: "agent_design_1", role: "designer", load: 0 },
  { agentId: "agent_writer_1", role: "writer", load: 0 },
];

export async function answerAll(stage: ProjectStage): Promise<void> {
  for (const { id } of stage.questions()) {
    await stage.humanInput.answerQuestion(id, { answer: ["1"] }, ann);
  }
}

export async function reviewed(stage: ProjectStage): Promise<void> {
  await planned(stage);
  await stage.tell({ type: "auto-assign", candidates });
  await stage.until("a question", ({ decisions }) => decisions.length > 0);
  await answerAll(stage);
  await stage.until("reviews", isIn("in_review"));
}
