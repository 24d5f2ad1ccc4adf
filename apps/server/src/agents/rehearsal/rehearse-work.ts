/**
 * Work in the folder of a turn, with the tools of that folder: what a model would do there, done by heart.
 *
 *   list -> write the program and its test -> run: it fails -> search, read, edit -> run: it passes -> changes
 *
 * Where a tool is not offered, refused or denied, it goes on without and says so. Done again, it begins with what is
 * there.
 */
import type { Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { handsOf, todo, type Hands } from "./hands.ts";
import {
  beginProgram,
  countOf,
  goOnWithProgram,
  writeOwn,
  type WorkRound,
} from "./make-program.ts";
import {
  nodeProgram,
  shellProgram,
  type Program,
  type ProgramFile,
  type ProgramSubject,
} from "./program.ts";
import { answerRemarks } from "./rehearse-remarks.ts";
import type { Voice } from "./voice.ts";

export interface WorkStage {
  readonly turn: Turn;
  readonly host: TurnHost;
  readonly voice: Voice;
  readonly pace: number;
}

export interface WorkReport {
  /** A line for each: its path, and what became of it where that is known. */
  readonly files: readonly string[];
  /** In a sentence or two. */
  readonly outcome: string;
}

const MAX_FILES = 50;
const NEEDED = ["list", "read", "write", "edit"];

export const FIRST_ROUND: WorkRound = {
  changes: undefined,
  comments: [],
  checks: "",
  isFailed: false,
};

export function hasWorkshop({ turn, host }: Pick<WorkStage, "turn" | "host">): boolean {
  const offered = new Set(host.tools.map(({ name }) => name));
  return turn.workspace !== undefined && NEEDED.every((name) => offered.has(name));
}

export async function* workOnProgram(
  stage: WorkStage,
  subject: ProgramSubject,
  round: WorkRound,
): AsyncGenerator<TurnEvent, WorkReport> {
  const hands = handsOf(stage);
  const steps = ["Write the program and its test", "Run the test, mend what fails", "Hand over"];
  yield* hands.use("todo", todo(steps, 0));
  const before = yield* hands.use("list", {});
  const isThere = ({ file }: Program): boolean => before.text.split("\n").includes(file.path);
  const [node, shell] = [nodeProgram(subject), shellProgram(subject)];
  const kinds =
    isThere(shell) && !isThere(node) ? ([shell, node] as const) : ([node, shell] as const);
  const { changes, comments, checks, isFailed } = round;
  const isNew = changes === undefined && comments.length === 0 && !isFailed;
  const report =
    isNew || !isThere(kinds[0])
      ? yield* beginProgram(hands, [node, shell], before, { running: todo(steps, 1), checks })
      : yield* goOnWithProgram(hands, kinds, before, round);
  return yield* handOver(hands, report, todo(steps, steps.length));
}

/** Remarks on a document are dealt with where they were made; nothing else in it changes. */
export async function* workOnRemarks(
  stage: WorkStage,
  { comments }: WorkRound,
): AsyncGenerator<TurnEvent, WorkReport> {
  const hands = handsOf(stage);
  const steps = ["Go through the comments", "Hand over"];
  yield* hands.use("todo", todo(steps, 0));
  const files = yield* answerRemarks(hands.use, comments);
  const report = { files, outcome: `I went through ${countOf(comments.length)}.` };
  return yield* handOver(hands, report, todo(steps, steps.length));
}

/** A document is written to the folder and read through once. */
export async function* workOnDocument(
  stage: WorkStage,
  document: ProgramFile,
): AsyncGenerator<TurnEvent, WorkReport> {
  const hands = handsOf(stage);
  const steps = ["Write it down", "Read it through", "Hand over"];
  yield* hands.use("todo", todo(steps, 0));
  const before = yield* hands.use("list", {});
  const problem = yield* writeOwn(hands, document, before);
  yield* hands.use("todo", todo(steps, 1));
  yield* hands.use("search", { pattern: "^## " });
  const report =
    problem === undefined
      ? { files: [document.path], outcome: `${document.path} is in the folder of this task.` }
      : { files: [], outcome: problem };
  return yield* handOver(hands, report, todo(steps, steps.length));
}

/** With all that differs from where the task began, where that can be asked for. */
async function* handOver(
  hands: Hands,
  report: WorkReport,
  done: object,
): AsyncGenerator<TurnEvent, WorkReport> {
  const changed = yield* hands.use("changes", {});
  yield* hands.use("todo", done);
  if (changed.isError) return report;
  const [, ...files] = changed.text.trim().split("\n");
  return { ...report, files: files.slice(0, MAX_FILES) };
}

export function describeFiles({ files, outcome }: WorkReport): string {
  const list = files.map((path) => `- ${path}`);
  return `## Files\n\n${[...list, ...(list.length > 0 ? [""] : []), outcome].join("\n")}\n`;
}
