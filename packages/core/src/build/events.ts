/** What happens in a build, and what can be said in it. */
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Answerer } from "../people/answerer.ts";
import type { ForkOrigin } from "../workspace/workspace.ts";
import type { BuildWait, WaitOutcome } from "./waits.ts";

export interface BuildStep {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

export interface BuildChoice {
  readonly id: string;
  readonly label: string;
  readonly description: string | null;
}

export interface BuildQuestion {
  readonly id: string;
  readonly prompt: string;
  readonly input: "single_choice" | "text";
  readonly options: readonly BuildChoice[];
  readonly isRequired: boolean;
}

/** Asked together, answered together; a question that is asked alone has no set. */
export interface QuestionSet {
  readonly setId: string | null;
  readonly prompt: string;
  readonly questions: readonly BuildQuestion[];
  readonly requiresAll: boolean;
}

export interface BuildAnswer {
  readonly questionId: string;
  readonly optionId: string | null;
  readonly text: string | null;
}

export type BuildStatus = "running" | "complete" | "failed";

/** What an agent says of a build. */
export type AgentBuildEvent = TaggedUnion<
  {
    message: { text: string };
    "step-started": {
      stepId: string;
      title: string | null;
      description: string | null;
      index: number | null;
      total: number | null;
    };
    "step-completed": { stepId: string };
    status: { status: BuildStatus; output: string | null };
    asked: QuestionSet;
    completed: object;
    failed: { reason: string | null };
  },
  "what"
>;

/** Who says it: the agent, people, or this server where the agent did not. */
export type FeedSource = "agent" | "backend" | "user";

/** What everyone who looks at a build is told. */
export type BuildFeedEvent = { readonly source: FeedSource } & TaggedUnion<
  {
    started: object;
    message: { text: string };
    "step-started": { stepId: string; index: number; total: number } & Omit<BuildStep, "id">;
    "step-completed": { stepId: string };
    status: { status: BuildStatus; output: string | null };
    asked: QuestionSet;
    answered: { setId: string | null; answers: readonly BuildAnswer[] };
    "wait-began": { wait: BuildWait };
    "wait-ended": { wait: BuildWait; outcome: WaitOutcome };
    "checks-started": { checks: readonly Pick<BuildCheck, "name" | "required">[] };
    "checks-finished": { verdict: "passed" | "failed"; results: readonly BuildCheckResult[] };
    completed: object;
    failed: { reason: string | null };
  },
  "what"
>;

/** Where an agent said it. */
export interface Origin {
  readonly runId: string;
  /** Counted from 1 in its run. */
  readonly line: number;
}

export interface BuildTurn {
  readonly runId: string;
  readonly number: number;
  readonly message: "request" | "answer" | "answers";
  readonly questionIds: readonly string[];
  /** What is said to the agent, as people may read it. */
  readonly body: string;
  /** Because the turn before ended without saying how the build stands. */
  readonly isNudge: boolean;
}

/** A check of the repository, as it was when the build was started. */
export interface BuildCheck {
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly required: boolean;
}

export interface BuildCheckResult extends Pick<BuildCheck, "name" | "required"> {
  readonly verdict: "passed" | "failed" | "error" | "skipped";
  readonly exitCode: number | null;
  readonly ms: number;
  /** Under which its output is kept; earlier versions did not say. */
  readonly checkId?: string;
}

/** What the agent said when it could not be told yet. */
export interface HeldLine {
  readonly event: AgentBuildEvent;
  readonly repairs: readonly string[];
  readonly text: string;
  readonly origin: Origin;
}

export interface BuildFacts {
  readonly id: string;
  readonly prompt: string;
  readonly agentId: string;
  readonly handle: string;
  readonly conversationKey: string;
  readonly sessionId: string;
  /** Those of the day it was started. */
  readonly steps: readonly BuildStep[];
  /** The id of the repository it is about; left out: one of its own. */
  readonly repository?: string;
  /** The moment of another build that it starts from. */
  readonly forkedFrom?: ForkOrigin;
  /** What must pass before it is complete; left out: nothing. */
  readonly checks?: readonly BuildCheck[];
}

export type BuildEvent = TaggedUnion<{
  "build.started": BuildFacts;
  "build.told": { telling: BuildFeedEvent; origin: Origin | null };
  "build.turn.wanted": { turn: BuildTurn };
  /** Told when the checks have passed. */
  "build.held": HeldLine;
  /** Something was put right before it was told, or was not worth telling. */
  "build.repaired": { why: string; text: string; origin: Origin | null };
  /** Kept for whoever wants to know what went wrong; told to no one. */
  "build.rejected": { why: string; text: string; origin: Origin | null };
  "build.cancelled": { by: Answerer };
}>;

export type BuildCommand = TaggedUnion<{
  start: BuildFacts;
  /** A line of the agent's; `why` instead of an event where it could not be read. */
  record: {
    origin: Origin;
    text: string;
    parsed:
      | {
          readonly ok: true;
          readonly event: AgentBuildEvent;
          readonly repairs: readonly string[];
        }
      | { readonly ok: false; readonly why: string };
  };
  answer: { answers: readonly BuildAnswer[] };
  cancel: { by: Answerer };
  /** `cut-off`: the server was stopped under it; the agent is not to blame. */
  "end-turn": { runId: string; how: "completed" | "failed" | "cut-off"; reason: string };
  /** How the checks after a turn ended; `problem`: why they could not be run. */
  "finish-checks": {
    runId: string;
    /** `tail`: the end of what a check wrote. */
    results: readonly (BuildCheckResult & { readonly tail: string })[];
    problem: string | null;
  };
  /** The agent waits for people in the middle of its turn, and no longer. */
  wait: { wait: BuildWait };
  "end-wait": { id: string; outcome: WaitOutcome };
  /** Something the agent said to people by a tool. */
  reply: { text: string };
  /** Nothing has been told since that many tellings. */
  reassure: { told: number };
  "set-aside": { text: string; why: string; origin: Origin | null };
}>;
