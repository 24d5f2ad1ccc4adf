/**
 * The front desk without a model: how far the projects are, from what the turn is told of them and from nothing else, and
 * an offer to make a project of what someone wants to have made.
 */
import type { Turn, TurnHost } from "../turn/agent-runtime.ts";
import { readDirections } from "./directions.ts";
import { readRequest } from "./improvise.ts";
import { isBuildTurn } from "./rehearse-build.ts";

/** Whoever can list the projects sits at the front desk. */
const DESK_TOOL = "projects_list";
const ASKS_HOW_FAR = new RegExp(
  [
    String.raw`\bhow far\b`,
    String.raw`\bhow(?:'s| is| are| do| does)\b.*\b(?:going|go|doing|coming along|stand|projects?)\b`,
    String.raw`\b(?:progress|status)\b`,
    String.raw`\b(?:is|are)\b.*\b(?:done|ready|finished|complete)\b`,
    String.raw`\bwhat(?:'s| is) (?:going on|happening|open|left|waiting)\b`,
    String.raw`\bprojects?\b.*\?`,
  ].join("|"),
  "i",
);
const PROJECT_LINE = /^- (?:"|and \d)/;
const MAX_CHARS_READ = 2_000;

export const OFFER =
  "I can make this a project: the team plans it, and nothing is begun before you have seen the plan. In the office, press “Make it a project”; elsewhere, submit it as a request.";

function isAtDesk({ turn, host }: Pick<DeskStage, "turn" | "host">): boolean {
  const hasTool = host.tools.some(({ name }) => name === DESK_TOOL);
  return turn.form === "any" && !isBuildTurn(turn) && hasTool;
}

interface DeskStage {
  readonly turn: Turn;
  readonly host: TurnHost;
}

/** How the projects stand, if that is what is asked at the front desk. */
export function projectsAnswer(stage: DeskStage, words: string): string | undefined {
  if (!isAtDesk(stage) || !ASKS_HOW_FAR.test(words.slice(0, MAX_CHARS_READ))) return undefined;
  const { context = "" } = stage.turn;
  const lines = context.split("\n").filter((line) => PROJECT_LINE.test(line));
  if (lines.length === 0) {
    return "There is no project yet. Tell me what you would like to have made, and I can make it one.";
  }
  return `This is how the projects stand:\n\n${lines.join("\n")}`;
}

/** What could become a project, in the words of whoever asked. */
export function offeredRequest(stage: DeskStage): string | undefined {
  if (!isAtDesk(stage)) return undefined;
  const { rest } = readDirections(stage.turn.prompt);
  return readRequest(rest).kind === "work" ? rest : undefined;
}
