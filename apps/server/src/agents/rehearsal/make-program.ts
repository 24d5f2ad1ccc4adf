/**
 * A program on its way: written with its test, found wrong, mended, changed as people wish. Where its test is one of the
 * task's checks, it is the check that finds the mistake, so that people see one fail and be mended.
 */
import type { ToolResult, TurnEvent } from "../turn/agent-runtime.ts";
import { exitCode, firstLine, howItEnded, type Hands } from "./hands.ts";
import type { Program, ProgramFile } from "./program.ts";
import { answerRemarks } from "./rehearse-remarks.ts";
import type { RehearsedTask } from "./rehearse-task.ts";
import type { WorkReport } from "./rehearse-work.ts";

/** Why work is taken up, and what it has to pass. */
export type WorkRound = Pick<RehearsedTask, "changes" | "comments" | "checks" | "isFailed">;

/** The second is for where the first cannot run. */
export type ProgramKinds = readonly [Program, Program];

/** What says in a file that a rehearsal wrote it. */
const OWN = /\bA rehearsal (?:wrote|draft)\b/;
const NOT_FOUND = 127;

export async function* beginProgram(
  hands: Hands,
  [first, second]: ProgramKinds,
  before: ToolResult,
  { running, checks }: { readonly running: object; readonly checks: string },
): AsyncGenerator<TurnEvent, WorkReport> {
  if (checks.includes(first.test.path)) return yield* leaveToChecks(hands, first, before);
  const tried = yield* make(hands, first, before);
  if ("problem" in tried) return { files: [], outcome: tried.problem };
  yield* hands.use("todo", running);
  if (exitCode(tried.result) !== NOT_FOUND) return yield* mend(hands, first, tried.result);
  return yield* makeOther(hands, first, second, before);
}

/** With what is there: mended where a check failed, changed where people wish it. */
export async function* goOnWithProgram(
  hands: Hands,
  [existing, other]: ProgramKinds,
  before: ToolResult,
  { changes, comments, isFailed }: WorkRound,
): AsyncGenerator<TurnEvent, WorkReport> {
  if (isFailed) return yield* mendFailed(hands, [existing, other], before);
  const remarked = yield* answerRemarks(hands.use, comments);
  const report =
    changes === undefined
      ? yield* tryAgain(hands, existing, comments.length)
      : yield* rework(hands, existing, changes);
  return { ...report, files: [...new Set([...remarked, ...report.files])] };
}

/** Why it could not be done, if so. */
export async function* writeOwn(
  hands: Hands,
  file: ProgramFile,
  before: ToolResult,
): AsyncGenerator<TurnEvent, string | undefined> {
  // What is there already may only be replaced by who has read it, and by a rehearsal only if it is its own.
  if (before.text.split("\n").includes(file.path)) {
    const { text } = yield* hands.use("read", { path: file.path });
    if (!OWN.test(text)) return `I left ${file.path} as it is: it is not mine.`;
  }
  const result = yield* hands.use("write", { ...file });
  return result.isError ? `I could not write ${file.path}: ${firstLine(result)}` : undefined;
}

async function* leaveToChecks(
  hands: Hands,
  program: Program,
  before: ToolResult,
): AsyncGenerator<TurnEvent, WorkReport> {
  const problem = yield* writeBoth(hands, program, before);
  if (problem !== undefined) return { files: [], outcome: problem };
  yield* hands.voice.think("Its test is one of the checks. They will tell.");
  const files = filesOf(program);
  return { files, outcome: `I wrote ${files.join(" and ")}. The checks have the last word.` };
}

/** Both files, and the test run once. */
async function* make(
  hands: Hands,
  program: Program,
  before: ToolResult,
): AsyncGenerator<TurnEvent, { readonly result: ToolResult } | { readonly problem: string }> {
  const problem = yield* writeBoth(hands, program, before);
  if (problem !== undefined) return { problem };
  return { result: yield* hands.use("run", { command: program.runTest }) };
}

async function* makeOther(
  hands: Hands,
  first: Program,
  second: Program,
  before: ToolResult,
): AsyncGenerator<TurnEvent, WorkReport> {
  yield* hands.voice.think("There is no Node here. The same again for the shell.");
  yield* hands.use("run", { command: `rm ${filesOf(first).join(" ")}` });
  const again = yield* make(hands, second, before);
  if ("problem" in again) return { files: [], outcome: again.problem };
  return yield* mend(hands, second, again.result);
}

async function* writeBoth(
  hands: Hands,
  { file, test }: Program,
  before: ToolResult,
): AsyncGenerator<TurnEvent, string | undefined> {
  for (const each of [file, test]) {
    const problem = yield* writeOwn(hands, each, before);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function* mend(
  hands: Hands,
  program: Program,
  failed: ToolResult,
): AsyncGenerator<TurnEvent, WorkReport> {
  const { file, repair, runAll } = program;
  const files = filesOf(program);
  const written = `I wrote ${files.join(" and ")}`;
  if (exitCode(failed) === undefined) {
    yield* hands.use("edit", { path: file.path, ...repair });
    return { files, outcome: `${written}. The test was not run: ${firstLine(failed)}` };
  }
  yield* hands.voice.think("The test fails: the points are counted from 0. Where is that?");
  yield* findMistake(hands, program);
  yield* hands.use("edit", { path: file.path, ...repair });
  const passed = yield* hands.use("run", { command: runAll });
  return {
    files,
    outcome: `${written}. The test failed at first, because the points were counted from 0; ${howItEnded(passed)}`,
  };
}

async function* mendFailed(
  hands: Hands,
  [program, other]: ProgramKinds,
  before: ToolResult,
): AsyncGenerator<TurnEvent, WorkReport> {
  const { file, repair, runAll } = program;
  yield* hands.voice.think("The check fails: the points are counted from 0. Where is that?");
  yield* findMistake(hands, program);
  const edited = yield* hands.use("edit", { path: file.path, ...repair });
  if (edited.isError) return { files: [], outcome: firstLine(edited) };
  const passed = yield* hands.use("run", { command: runAll });
  if (exitCode(passed) === NOT_FOUND) return yield* makeOther(hands, program, other, before);
  return {
    files: [file.path],
    outcome: `The check failed because the points were counted from 0; ${howItEnded(passed)}`,
  };
}

async function* findMistake(
  hands: Hands,
  { file, repair }: Program,
): AsyncGenerator<TurnEvent, void> {
  yield* hands.use("search", { pattern: repair.old.trim(), literal: true });
  yield* hands.use("read", { path: file.path });
}

async function* rework(
  hands: Hands,
  program: Program,
  wish: string,
): AsyncGenerator<TurnEvent, WorkReport> {
  const path = { path: program.file.path };
  yield* hands.use("read", path);
  const changed = yield* hands.use("edit", { ...path, ...program.addPoint(wish) });
  if (changed.isError) return { files: [], outcome: firstLine(changed) };
  const run = yield* hands.use("run", { command: program.runAll });
  return {
    files: [path.path],
    outcome: `I put the wish first in ${path.path}; ${howItEnded(run)}`,
  };
}

async function* tryAgain(
  hands: Hands,
  program: Program,
  comments: number,
): AsyncGenerator<TurnEvent, WorkReport> {
  const run = yield* hands.use("run", { command: program.runAll });
  return { files: [], outcome: `I went through ${countOf(comments)}; ${howItEnded(run)}` };
}

export function countOf(comments: number): string {
  return comments === 1 ? "the comment" : `${comments} comments`;
}

function filesOf({ file, test }: Program): readonly string[] {
  return [file.path, test.path];
}
