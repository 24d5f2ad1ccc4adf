/**
 * What agents are told: how to plan a request, how to work on a task of it, how to go on.
 *
 * The words are in files (prompt-texts.ts), which a repository may have its own of; here they are filled in.
 * Everything that people, agents or files said is quoted.
 */
import type { Project, Task } from "@atrium/core";
import { describeConflict } from "./describe-conflict.ts";
import { describeFailures, describeRework, type RoundDeps } from "./describe-round.ts";
import { describeOutline, readConventions } from "./describe-tree.ts";
import {
  describePlan,
  describeRequest,
  describeResults,
  describeTeam,
  quotedList,
  summaryOf,
} from "./describe-work.ts";
import { openProjectFiles, type ProjectFiles, type ProjectFilesDeps } from "./project-files.ts";
import {
  createPromptLibrary,
  type PromptLibraryDeps,
  type ReadBaseFile,
} from "./prompt-library.ts";
import { oneLine, quoted } from "./quoting.ts";

export interface ProjectPromptsDeps extends RoundDeps, ProjectFilesDeps, PromptLibraryDeps {}

export interface Prompt {
  /** How to go about it; the same for every turn of its kind. */
  readonly instructions: string;
  readonly text: string;
}

export interface ProjectPrompts {
  plan(of: Project): Promise<Prompt>;
  /** After a plan that cannot be used. */
  replan(of: Project, problem: string): Promise<Prompt>;
  /** `earlierRunId`: of the attempt before this one; whoever is asked now may never have heard of it. */
  task(of: Project, task: Task, earlierRunId: string | null): Promise<Prompt>;
}

const MAX_DESCRIPTION_CHARS = 6_000;
const MAX_PROBLEM_CHARS = 2_000;
const MAX_ACCEPT_CHARS = 300;
const MAX_VERIFY_CHARS = 500;
const DOCUMENT =
  "a document: hand it over with `deliver_artifact`, or answer with it. No file of the project changes";

export function createProjectPrompts(deps: ProjectPromptsDeps): ProjectPrompts {
  const { crew } = deps;
  const library = createPromptLibrary(deps);

  async function planning(of: Project) {
    const files = await openProjectFiles(deps, of, null);
    const read = readerOf(files);
    return { files, read, instructions: await library.fill("planner", {}, read) };
  }

  async function roundOf(
    of: Project,
    task: Task,
    earlierRunId: string | null,
    files: ProjectFiles | undefined,
  ): Promise<string> {
    const read = readerOf(files);
    if (task.attempts <= 1) return task.forkedFrom === null ? "" : library.fill("fork", {}, read);
    const rework = await describeRework(deps, of, task, files);
    const failures = await describeFailures(deps, of, task);
    const conflict = await describeConflict(deps, of, task, files);
    const parts = await Promise.all([
      rework && library.fill("rework", rework, read),
      failures && library.fill("checks-failed", failures, read),
      conflict && library.fill("conflict", conflict, read),
    ]);
    const known = parts.filter((part) => part !== undefined);
    if (known.length > 0) return known.join("\n\n");
    return library.fill("interrupted", { summary: await summaryOf(deps, earlierRunId) }, read);
  }

  return {
    async plan(of) {
      const { files, read, instructions } = await planning(of);
      const values = {
        ...describeRequest(of),
        team: describeTeam(crew),
        ...(await placeOf(files)),
      };
      return { instructions, text: await library.fill("plan", values, read) };
    },
    async replan(of, problem) {
      const { read, instructions } = await planning(of);
      const values = { problem: quoted(problem, MAX_PROBLEM_CHARS) };
      return { instructions, text: await library.fill("replan", values, read) };
    },
    async task(of, task, earlierRunId) {
      const files = await openProjectFiles(deps, of, task);
      const read = readerOf(files);
      const values = {
        number: String(of.tasks.findIndex(({ taskId }) => taskId === task.taskId) + 1),
        count: String(of.tasks.length),
        title: oneLine(task.title),
        description: quoted(task.description, MAX_DESCRIPTION_CHARS),
        project: oneLine(of.title),
        ...describeRequest(of),
        accept: quotedList(task.accept, MAX_ACCEPT_CHARS),
        verify: quotedList(task.verify, MAX_VERIFY_CHARS),
        kind: task.kind === "document" ? DOCUMENT : "",
        plan: describePlan(of, task, crew),
        results: await describeResults(deps, of, task, files),
        ...(await placeOf(files)),
        round: await roundOf(of, task, earlierRunId, files),
      };
      return {
        instructions: await library.fill("worker", {}, read),
        text: await library.fill("task", values, read),
      };
    },
  };
}

async function placeOf(files: ProjectFiles | undefined) {
  if (files === undefined) return { outline: "", conventions_file: "", conventions: "" };
  const { file, text } = await readConventions(files);
  return { outline: await describeOutline(files), conventions_file: file, conventions: text };
}

function readerOf(files: ProjectFiles | undefined): ReadBaseFile | undefined {
  if (files === undefined || files.base === null) return undefined;
  const { git, repositoryId, base } = files;
  return (path, maxBytes) => git.readFile(repositoryId, base, path, maxBytes);
}
