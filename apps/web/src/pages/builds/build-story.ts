/**
 * A build as a page shows it: what was said, how far the seven steps are, what is asked, how it ended. A fold of its
 * events, so that what is seen live and what is seen after a reload are the same. Pure.
 */
import { BUILD_STEPS, type BuildEvent, type BuildStepId } from "@atrium/wire/build";

export type StepState = "pending" | "active" | "done" | "skipped";

export interface StoryStep {
  readonly id: BuildStepId;
  readonly title: string;
  readonly description: string;
  readonly state: StepState;
}

type PayloadOf<Type extends BuildEvent["type"]> = Extract<
  BuildEvent,
  { readonly type: Type }
>["payload"];
export type QuestionSet = PayloadOf<"question.requested" | "questions.requested">;
export type PermissionRequest = PayloadOf<"permission.requested">;
export type BuildCheck = PayloadOf<"checks.finished">["checks"][number];
export type PermissionOutcome = PayloadOf<"permission.resolved">;

export interface BuildQuestion {
  readonly question_id: string;
  readonly prompt: string;
  readonly input: "single_choice" | "text";
  readonly isRequired: boolean;
  readonly options: readonly {
    readonly id: string;
    readonly label: string;
    readonly description?: string;
  }[];
}

export interface BuildAnswer {
  readonly question_id: string;
  readonly option_id?: string;
  readonly text?: string;
}

export type BuildLine = { readonly seq: number; readonly at: number } & (
  | { readonly who: "agent" | "backend"; readonly text: string }
  | { readonly who: "asks"; readonly questionSet: QuestionSet }
  | {
      readonly who: "permission";
      readonly permission: PermissionRequest;
      readonly outcome: PermissionOutcome | null;
    }
  | {
      readonly who: "checks";
      /** Null while they run. */
      readonly verdict: "passed" | "failed" | null;
      readonly checks: readonly (Pick<BuildCheck, "name" | "required"> & Partial<BuildCheck>)[];
    }
  | {
      readonly who: "person";
      readonly answers: readonly { readonly prompt: string; readonly answer: string }[];
    }
);

export type BuildEnd =
  | { readonly how: "complete"; readonly output: string | undefined }
  | { readonly how: "failed"; readonly reason: string | undefined };

export interface BuildStory {
  readonly seq: number;
  readonly steps: readonly StoryStep[];
  readonly lines: readonly BuildLine[];
  /** What is to be answered, oldest first: several where the agent asks in the middle of its turn. */
  readonly questionSets: readonly QuestionSet[];
  /** Permissions that the agent waits for. */
  readonly permissions: readonly PermissionRequest[];
  readonly output: string | undefined;
  readonly end: BuildEnd | null;
}

export const EMPTY_STORY: BuildStory = {
  seq: 0,
  steps: BUILD_STEPS.map((step) => ({ ...step, state: "pending" })),
  lines: [],
  questionSets: [],
  permissions: [],
  output: undefined,
  end: null,
};

export function applyEvent(story: BuildStory, event: BuildEvent): BuildStory {
  // A stream that comes back may begin a little earlier than it ended.
  if (event.seq <= story.seq) return story;
  const next = { ...story, seq: event.seq };
  const { seq, ts: at } = event;
  switch (event.type) {
    case "session.started":
      return next;
    case "assistant.message.created": {
      const { text, source: who } = event.payload;
      return { ...next, lines: [...story.lines, { seq, at, who, text }] };
    }
    case "progress.step.started":
      return { ...next, steps: started(story.steps, event.payload) };
    case "progress.step.completed":
      return { ...next, steps: marked(story.steps, event.payload.step_id, "done") };
    case "status.changed":
      return { ...next, output: event.payload.output ?? story.output };
    case "question.requested":
    case "questions.requested": {
      const questionSet = event.payload;
      return {
        ...next,
        questionSets: [...story.questionSets, questionSet],
        lines: [...story.lines, { seq, at, who: "asks", questionSet }],
      };
    }
    case "question.answered":
      return answered(next, event, [event.payload]);
    case "questions.answered":
      return answered(
        { ...next, questionSets: without(story.questionSets, event.payload.question_set_id) },
        event,
        event.payload.answers,
        story.questionSets,
      );
    case "question.expired": {
      const { question_id, question_set_id } = event.payload;
      return { ...next, questionSets: without(story.questionSets, question_set_id ?? question_id) };
    }
    case "permission.requested": {
      const permission = event.payload;
      return {
        ...next,
        permissions: [...story.permissions, permission],
        lines: [...story.lines, { seq, at, who: "permission", permission, outcome: null }],
      };
    }
    case "permission.resolved":
      return resolved(next, event.payload);
    case "checks.started": {
      const { checks } = event.payload;
      return {
        ...next,
        lines: [...story.lines, { seq, at, who: "checks", verdict: null, checks }],
      };
    }
    case "checks.finished": {
      const { verdict, checks } = event.payload;
      const lines = story.lines.map((line) =>
        line.who === "checks" && line.verdict === null ? { ...line, verdict, checks } : line,
      );
      return { ...next, lines };
    }
    case "session.completed":
      return { ...next, ...NOTHING_ASKED, end: { how: "complete", output: story.output } };
    case "session.failed": {
      const { reason } = event.payload;
      const steps = story.steps.map((step) =>
        step.state === "active" ? { ...step, state: "pending" as const } : step,
      );
      return { ...next, ...NOTHING_ASKED, steps, end: { how: "failed", reason } };
    }
  }
}

/** One question or several: the same list, so that a form need not know. */
export function questionsIn(questionSet: QuestionSet): readonly BuildQuestion[] {
  if (!("questions" in questionSet)) {
    const { question_id, prompt, input, required, options = [] } = questionSet;
    return [{ question_id, prompt, input, isRequired: required, options }];
  }
  return questionSet.questions.map(({ question_id, prompt, input, options = [] }) => ({
    question_id,
    prompt,
    input,
    isRequired: questionSet.required_all,
    options,
  }));
}

/** What is ready to be sent: empty when all is left blank, null while something that is required is missing. */
export function readAnswers(
  questionSet: QuestionSet,
  given: ReadonlyMap<string, string>,
): readonly BuildAnswer[] | null {
  const answers: BuildAnswer[] = [];
  for (const { question_id, input, isRequired } of questionsIn(questionSet)) {
    const value = (given.get(question_id) ?? "").trim();
    if (value === "" && isRequired) return null;
    if (value === "") continue;
    answers.push(
      input === "text" ? { question_id, text: value } : { question_id, option_id: value },
    );
  }
  return answers;
}

export function doneSteps(steps: readonly { readonly state: StepState }[]): number {
  return steps.filter(({ state }) => state === "done").length;
}

function started(
  steps: readonly StoryStep[],
  { step_id, title, description }: { step_id: string; title: string; description: string },
): readonly StoryStep[] {
  const place = steps.findIndex(({ id }) => id === step_id);
  return steps.map((step, index) => {
    if (index === place) return { ...step, title, description, state: "active" };
    return index < place && step.state === "pending" ? { ...step, state: "skipped" } : step;
  });
}

function marked(
  steps: readonly StoryStep[],
  stepId: string,
  state: StepState,
): readonly StoryStep[] {
  return steps.map((step) => (step.id === stepId ? { ...step, state } : step));
}

const NOTHING_ASKED = { questionSets: [], permissions: [] } as const;

/** Whoever waits for people is not working. */
export function isAwaiting({ questionSets, permissions }: BuildStory): boolean {
  return questionSets.length > 0 || permissions.length > 0;
}

export function questionSetId(questionSet: QuestionSet): string {
  return "questions" in questionSet ? questionSet.question_set_id : questionSet.question_id;
}

function without(
  questionSets: readonly QuestionSet[],
  name: string | undefined,
): readonly QuestionSet[] {
  return questionSets.filter((each) => questionSetId(each) !== name);
}

function resolved(story: BuildStory, outcome: PermissionOutcome): BuildStory {
  const { permission_id: id } = outcome;
  return {
    ...story,
    permissions: story.permissions.filter(({ permission_id }) => permission_id !== id),
    lines: story.lines.map((line) =>
      line.who === "permission" && line.permission.permission_id === id
        ? { ...line, outcome }
        : line,
    ),
  };
}

function answered(
  story: BuildStory,
  { seq, ts: at }: BuildEvent,
  given: readonly BuildAnswer[],
  questionSets: readonly QuestionSet[] = story.questionSets,
): BuildStory {
  const questions = questionSets.flatMap(questionsIn);
  const answers = given.map(({ question_id, option_id, text }) => {
    const question = questions.find((each) => each.question_id === question_id);
    const option = question?.options.find(({ id }) => id === option_id);
    const words = [option?.label ?? option_id, text].filter((each) => each !== undefined);
    return { prompt: question?.prompt ?? "", answer: words.join(": ") };
  });
  const ids = new Set(given.map(({ question_id }) => question_id));
  const isAnswered = ({ question_id }: BuildQuestion): boolean => ids.has(question_id);
  return {
    ...story,
    questionSets: story.questionSets.filter((each) => !questionsIn(each).some(isAnswered)),
    lines: [...story.lines, { seq, at, who: "person", answers }],
  };
}
