/**
 * Work in the folder of a turn, with the tools of that folder: what a model would do there, done by heart.
 *
 *   list -> write the program and its test -> run: it fails -> search, read, edit -> run: it passes -> changes
 *
 * Where a tool is not offered, refused or denied, it goes on without and says so. Done again, it begins with what is
 * there.
 */
import type { ToolResult, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { useTool } from "../turn/use-tool.ts";
import {
  nodeProgram,
  shellProgram,
  type Program,
  type ProgramFile,
  type ProgramSubject,
} from "./program.ts";
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

interface Hands {
  readonly voice: Voice;
  use(name: string, input: object): AsyncGenerator<TurnEvent, ToolResult>;
}

const CALL_MS = 120;
const MAX_FILES = 50;
const NEEDED = ["list", "read", "write", "edit"];
const EXIT_CODE = /\[exit code (?<code>\d+),/;
/** What says in a file that a rehearsal wrote it. */
const OWN = /\bA rehearsal (?:wrote|draft)\b/;
const NOT_FOUND = 127;

export function hasWorkshop({ turn, host }: Pick<WorkStage, "turn" | "host">): boolean {
  const offered = new Set(host.tools.map(({ name }) => name));
  return turn.workspace !== undefined && NEEDED.every((name) => offered.has(name));
}

/** `wish`: what a person wants changed in what is there. */
export async function* workOnProgram(
  stage: WorkStage,
  subject: ProgramSubject,
  wish: string | undefined,
): AsyncGenerator<TurnEvent, WorkReport> {
  const hands = handsOf(stage);
  const steps = ["Write the program and its test", "Run the test, mend what fails", "Hand over"];
  yield* hands.use("todo", todo(steps, 0));
  const before = yield* hands.use("list", {});
  const isThere = ({ file }: Program): boolean => before.text.split("\n").includes(file.path);
  const kinds = [nodeProgram(subject), shellProgram(subject)] as const;
  const existing = kinds.find(isThere);
  const report =
    wish !== undefined && existing !== undefined
      ? yield* rework(hands, existing, wish)
      : yield* begin(hands, kinds, before, todo(steps, 1));
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
  const problem = yield* write(hands, document, before);
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

async function* begin(
  hands: Hands,
  [first, second]: readonly [Program, Program],
  before: ToolResult,
  running: object,
): AsyncGenerator<TurnEvent, WorkReport> {
  const tried = yield* make(hands, first, before);
  if ("problem" in tried) return { files: [], outcome: tried.problem };
  yield* hands.use("todo", running);
  if (exitCode(tried.result) !== NOT_FOUND) return yield* mend(hands, first, tried.result);
  yield* hands.voice.think("There is no Node here. The same again for the shell.");
  yield* hands.use("run", { command: `rm ${filesOf(first).join(" ")}` });
  const again = yield* make(hands, second, before);
  if ("problem" in again) return { files: [], outcome: again.problem };
  return yield* mend(hands, second, again.result);
}

/** Both files, and the test run once. */
async function* make(
  hands: Hands,
  { file, test, runTest }: Program,
  before: ToolResult,
): AsyncGenerator<TurnEvent, { readonly result: ToolResult } | { readonly problem: string }> {
  for (const each of [file, test]) {
    const problem = yield* write(hands, each, before);
    if (problem !== undefined) return { problem };
  }
  return { result: yield* hands.use("run", { command: runTest }) };
}

async function* mend(
  hands: Hands,
  program: Program,
  failed: ToolResult,
): AsyncGenerator<TurnEvent, WorkReport> {
  const { file, repair, runAll } = program;
  const files = filesOf(program);
  const written = `I wrote ${files.join(" and ")}`;
  const path = { path: file.path };
  if (exitCode(failed) === undefined) {
    yield* hands.use("edit", { ...path, ...repair });
    return { files, outcome: `${written}. The test was not run: ${firstLine(failed)}` };
  }
  yield* hands.voice.think("The test fails: the points are counted from 0. Where is that?");
  yield* hands.use("search", { pattern: repair.old.trim(), literal: true });
  yield* hands.use("read", path);
  yield* hands.use("edit", { ...path, ...repair });
  const passed = yield* hands.use("run", { command: runAll });
  return {
    files,
    outcome: `${written}. The test failed at first, because the points were counted from 0; ${howItEnded(passed)}`,
  };
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

/** Why it could not be done, if so. */
async function* write(
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

function handsOf({ host, voice, pace }: WorkStage): Hands {
  const offered = new Set(host.tools.map(({ name }) => name));
  let calls = 0;
  return {
    voice,
    async *use(name, input) {
      if (!offered.has(name)) return { text: `I have no tool ${name}.`, isError: true };
      host.signal.throwIfAborted();
      if (pace > 0) await host.sleep(CALL_MS * pace);
      calls += 1;
      const result = yield* useTool(host, { id: `work_${calls}`, name, input });
      host.signal.throwIfAborted();
      return result;
    },
  };
}

function todo(steps: readonly string[], at: number): object {
  const stateOf = (step: number): string => (step < at ? "done" : step === at ? "active" : "open");
  return { items: steps.map((text, step) => ({ text, state: stateOf(step) })) };
}

function filesOf({ file, test }: Program): readonly string[] {
  return [file.path, test.path];
}

/** Undefined: it was not run at all. */
function exitCode({ text }: ToolResult): number | undefined {
  const code = EXIT_CODE.exec(text)?.groups?.["code"];
  return code === undefined ? undefined : Number(code);
}

function howItEnded(run: ToolResult): string {
  const code = exitCode(run);
  if (code === undefined) return `whether its test passes is not known: ${firstLine(run)}`;
  return code === 0 ? "its test passes." : "its test still fails.";
}

function firstLine({ text }: ToolResult): string {
  return text.trim().split("\n")[0] ?? "";
}

export function describeFiles({ files, outcome }: WorkReport): string {
  const list = files.map((path) => `- ${path}`);
  return `## Files\n\n${[...list, ...(list.length > 0 ? [""] : []), outcome].join("\n")}\n`;
}
