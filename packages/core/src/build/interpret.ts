/**
 * What becomes of a line of the agent's: told, told after a repair, or rejected with the reason.
 *
 *   running -> step started -> step completed -> … -> complete or failed -> session completed or failed
 *                        \-> asked (the build waits)
 *
 * What is safe is repaired: a missing `step.completed`, a wrong index, a status nobody said. What would
 * be a lie or a contradiction is rejected: a step before the one that comes next, an end before the last
 * step. Nobody saw those steps, so nobody can be told that they happened.
 */
import type { QuestionSet, AgentBuildEvent, BuildFeedEvent } from "./events.ts";
import { hasEnded, type StartedBuild } from "./state.ts";
import { cleanUserText } from "./user-text.ts";
import type { BuildWait } from "./waits.ts";

export type Interpretation =
  | {
      readonly ok: true;
      readonly events: readonly BuildFeedEvent[];
      readonly repairs: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

type AgentEventOf<What extends AgentBuildEvent["what"]> = Extract<
  AgentBuildEvent,
  { readonly what: What }
>;

const MAX_MESSAGE = 4_000;
const MAX_TITLE = 80;
const MAX_SENTENCE = 300;
const MAX_PROMPT = 900;
const MAX_LABEL = 200;
const MAX_OUTPUT = 20_000;
const UNREADABLE = "(nothing that people could read)";

export function interpret(build: StartedBuild, event: AgentBuildEvent): Interpretation {
  if (hasEnded(build)) return no("the build has ended");
  if (build.stage === "waiting") return no("the build waits for an answer");
  const isLast = event.what === "completed" || event.what === "failed";
  if (build.verdict !== null && !isLast) return no(`status ${build.verdict} has been told`);
  switch (event.what) {
    case "message":
      return message(build, event);
    case "step-started":
      return startStep(build, event);
    case "step-completed":
      return completeStep(build, event);
    case "status":
      return changeStatus(build, event);
    case "asked":
      return ask(build, event);
    case "completed":
      return end(build, "complete", { what: "completed", source: "agent" });
    case "failed": {
      const clean = cleaned(build, event.reason, MAX_SENTENCE);
      return end(build, "failed", { what: "failed", reason: clean, source: "agent" });
    }
  }
}

function message(build: StartedBuild, { text: written }: AgentEventOf<"message">): Interpretation {
  const { text, isChanged } = cleanUserText(written, MAX_MESSAGE, [build.sessionId]);
  if (text === "") return no("there is nothing in it for people to read");
  const words = normalized(text);
  const repeats = build.steps.some(
    ({ title, description }) => normalized(title) === words || normalized(description) === words,
  );
  if (repeats) return no("it only repeats a step");
  const opening = open(build);
  return yes(
    [...opening.events, { what: "message", text, source: "agent" }],
    [...opening.repairs, ...(isChanged ? ["what is not for people was taken out"] : [])],
  );
}

function startStep(build: StartedBuild, event: AgentEventOf<"step-started">): Interpretation {
  const { steps, current, done } = build;
  const { stepId } = event;
  const place = steps.findIndex(({ id }) => id === stepId);
  const step = steps[place];
  if (step === undefined) return no(`there is no step ${stepId}`);
  if (current === stepId || done.includes(stepId)) return yes([], [`${stepId} was started before`]);
  const furthest = furthestStep(build);
  if (place < furthest) return no(`${stepId} comes before ${steps[furthest]?.id ?? ""}`);
  const skipped = steps.slice(furthest + 1, place).map(({ id }) => id);
  if (skipped.length > 0) return no(`${stepId} would skip ${skipped.join(", ")}`);
  const opening = open(build);
  const closing = closeStep(build);
  const index = place + 1;
  const total = steps.length;
  const wrong = [
    ...(event.index === null || event.index === index ? [] : [`index was ${event.index}`]),
    ...(event.total === null || event.total === total ? [] : [`total was ${event.total}`]),
  ];
  const title = cleaned(build, event.title, MAX_TITLE) ?? step.title;
  const description = cleaned(build, event.description, MAX_SENTENCE) ?? step.description;
  return yes(
    [
      ...opening.events,
      ...closing.events,
      { what: "step-started", stepId, title, description, index, total, source: "agent" },
    ],
    [...opening.repairs, ...closing.repairs, ...wrong],
  );
}

function completeStep(
  build: StartedBuild,
  { stepId }: AgentEventOf<"step-completed">,
): Interpretation {
  if (!build.steps.some(({ id }) => id === stepId)) return no(`there is no step ${stepId}`);
  if (build.done.includes(stepId)) return yes([], [`${stepId} was completed before`]);
  if (build.current !== stepId) return no(`${stepId} has not been started`);
  return yes([{ what: "step-completed", stepId, source: "agent" }], []);
}

function changeStatus(build: StartedBuild, event: AgentEventOf<"status">): Interpretation {
  const { status } = event;
  if (status === "running") {
    if (build.isRunning) return yes([], ["it was running already"]);
    return yes([{ what: "status", status, output: null, source: "agent" }], []);
  }
  const left = build.steps.slice(furthestStep(build) + 1).map(({ id }) => id);
  if (status === "complete" && left.length > 0) {
    return no(`it cannot be complete before ${left.join(", ")}`);
  }
  const opening = open(build);
  const closing = status === "complete" ? closeStep(build) : NOTHING;
  const output = cleaned(build, event.output, MAX_OUTPUT);
  return yes(
    [...opening.events, ...closing.events, { what: "status", status, output, source: "agent" }],
    [...opening.repairs, ...closing.repairs],
  );
}

/** -1 before the first. Builds of earlier versions may have left out a step before it. */
function furthestStep({ steps, current, done }: StartedBuild): number {
  return steps.findLastIndex(({ id }) => id === current || done.includes(id));
}

function ask(build: StartedBuild, event: AgentEventOf<"asked">): Interpretation {
  const flaw = findQuestionFlaw(build, event);
  if (flaw !== undefined) return no(flaw);
  const readable = readableQuestions(build, event);
  const blank = blankIn(readable);
  if (blank !== undefined) return no(`there is nothing for people to read in ${blank}`);
  const opening = open(build);
  return yes([...opening.events, { ...event, ...readable, source: "agent" }], opening.repairs);
}

function readableQuestions(build: StartedBuild, { prompt, questions }: QuestionSet) {
  const clean = (text: string, maxChars: number): string => cleaned(build, text, maxChars) ?? "";
  return {
    prompt: clean(prompt, MAX_PROMPT),
    questions: questions.map((question) => ({
      ...question,
      prompt: clean(question.prompt, MAX_PROMPT),
      options: question.options.map(({ id, label, description }) => ({
        id,
        label: clean(label, MAX_LABEL),
        description: cleaned(build, description, MAX_SENTENCE),
      })),
    })),
  };
}

const shown = (text: string): string => (text === "" ? UNREADABLE : text);

/** What is asked by a tool is shown to people too. A permission is shown as it is: what cannot be seen is written out. */
export function readableWait(build: StartedBuild, wait: BuildWait): BuildWait {
  if (wait.kind === "permission") return wait;
  const { prompt, questions } = readableQuestions(build, wait.asked);
  return {
    ...wait,
    asked: {
      ...wait.asked,
      prompt: shown(prompt),
      questions: questions.map((question) => ({
        ...question,
        prompt: shown(question.prompt),
        options: question.options.map((option) => ({ ...option, label: shown(option.label) })),
      })),
    },
  };
}

/** What was nothing but machinery cannot be answered, and must not be shown as it was. */
function blankIn({
  prompt,
  questions,
}: Pick<QuestionSet, "prompt" | "questions">): string | undefined {
  if (prompt === "") return "the prompt";
  for (const question of questions) {
    if (question.prompt === "") return `the prompt of ${question.id}`;
    const option = question.options.find(({ label }) => label === "");
    if (option !== undefined) return `the label of option ${option.id} of ${question.id}`;
  }
  return undefined;
}

function findQuestionFlaw(
  build: StartedBuild,
  { setId, questions }: QuestionSet,
): string | undefined {
  const ids = new Set(build.askedIds);
  for (const id of [
    ...questions.map((question) => question.id),
    ...(setId === null ? [] : [setId]),
  ]) {
    if (ids.has(id)) return `${id} was asked before`;
    ids.add(id);
  }
  for (const { id, input, options } of questions) {
    if (input === "text") continue;
    if (options.length === 0) return `${id} is a choice without options`;
    if (new Set(options.map((option) => option.id)).size < options.length) {
      return `${id} has two options with the same id`;
    }
  }
  return undefined;
}

/** The last event of all; the status that belongs before it is told too, where nobody did. */
function end(
  build: StartedBuild,
  status: "complete" | "failed",
  last: BuildFeedEvent,
): Interpretation {
  if (build.verdict === status) return yes([last], []);
  if (build.verdict !== null) return no(`status ${build.verdict} has been told`);
  const change = changeStatus(build, { what: "status", status, output: null });
  if (!change.ok) return change;
  const own = change.events.map((each): BuildFeedEvent =>
    each.what === "status" ? { ...each, source: "backend" } : each,
  );
  return yes([...own, last], [...change.repairs, `status.changed ${status} was missing`]);
}

interface Addition {
  readonly events: readonly BuildFeedEvent[];
  readonly repairs: readonly string[];
}

const NOTHING: Addition = { events: [], repairs: [] };

function open({ isRunning }: StartedBuild): Addition {
  if (isRunning) return NOTHING;
  return {
    events: [{ what: "status", status: "running", output: null, source: "backend" }],
    repairs: ["status.changed running was missing"],
  };
}

function closeStep({ current }: StartedBuild): Addition {
  if (current === null) return NOTHING;
  return {
    events: [{ what: "step-completed", stepId: current, source: "backend" }],
    repairs: [`progress.step.completed of ${current} was missing`],
  };
}

/** Null when there is nothing in it for people. */
export function cleaned(build: StartedBuild, text: string | null, maxChars: number): string | null {
  if (text === null) return null;
  const clean = cleanUserText(text, maxChars, [build.sessionId]).text;
  return clean === "" ? null : clean;
}

function normalized(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[\s.…!]+/g, " ")
    .trim();
}

function yes(events: readonly BuildFeedEvent[], repairs: readonly string[]): Interpretation {
  return { ok: true, events, repairs };
}

function no(why: string): Interpretation {
  return { ok: false, why };
}
