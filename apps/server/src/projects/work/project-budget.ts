/**
 * A project's own budget: once its runs have used more, its work pauses and a person decides.
 *
 *   run ends -> counted -> beyond the budget? -> question in the log, project paused
 *   answered "Continue" -> as much again, resumed        anything else -> it stays paused, resumable
 *
 * How much is allowed follows from what was answered before, so nothing is kept here.
 */
import { budgetTokensOf, dollars, type Project } from "@atrium/core";
import type { Entry } from "@atrium/log";
import { GO_ON, STOP } from "../../runs/drive-turn.ts";
import { askAboutProject } from "./ask-about-project.ts";
import type { ProjectCommands } from "./project-commands.ts";

export interface ProjectBudget {
  readonly tokens: number;
  /** In US dollars; left out: as many as it takes. */
  readonly cost?: number | undefined;
}

const WORK_LEFT: ReadonlySet<string> = new Set(["planned", "assigned", "in_progress", "blocked"]);

export async function keepWithinBudget(
  commands: ProjectCommands,
  entry: Entry,
  of: Project,
): Promise<void> {
  const why = overspent(of, commands.deps.budget);
  if (why === undefined || !hasWorkLeft(of)) return;
  // Asked first: whatever happens in between, a project that is paused has its question.
  if (!budgetDecisions(of).some(({ status }) => status === "open")) {
    const id = `${prefixOf(of)}${budgetDecisions(of).length + 1}`;
    await askAboutProject(commands, of, { id, text: `${why} Go on?`, choices: [GO_ON, STOP] });
  }
  await commands.dispatch(of.projectId, { type: "pause", by: null, reason: why }, entry);
}

/** Goes on if that was about the budget, and the answer was to. */
export async function afterBudgetChoice(
  commands: ProjectCommands,
  entry: Entry,
  of: Project,
  decisionId: string,
): Promise<void> {
  const decision = budgetDecisions(of).find((each) => each.decisionId === decisionId);
  if (decision?.choice !== GO_ON || decision.by === null || of.status !== "paused") return;
  await commands.dispatch(of.projectId, { type: "resume", by: decision.by }, entry);
}

function overspent(of: Project, { tokens, cost }: ProjectBudget): string | undefined {
  const shares = 1 + budgetDecisions(of).filter(({ choice }) => choice === GO_ON).length;
  const used = budgetTokensOf(of.used);
  if (used > tokens * shares) {
    return `“${of.title}” has used ${used} tokens; its budget is ${tokens * shares}.`;
  }
  if (cost === undefined || (of.used.cost ?? 0) <= cost * shares) return undefined;
  const spent = dollars(of.used.cost ?? 0);
  return `“${of.title}” has cost ${spent}; its budget is ${dollars(cost * shares)}.`;
}

function hasWorkLeft({ status, tasks }: Project): boolean {
  if (status === "kickoff") return true;
  return (
    (status === "planned" || status === "executing") &&
    tasks.some((task) => WORK_LEFT.has(task.status))
  );
}

function budgetDecisions(of: Project): Project["decisions"] {
  return of.decisions.filter(({ ref }) => ref.startsWith(prefixOf(of)));
}

function prefixOf({ projectId }: Project): string {
  return `budget-${projectId}-`;
}
