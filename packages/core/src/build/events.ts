/** What happens in a build, and what can be said in it. */
import type { Answerer } from "../people/answerer.ts";
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
export type AgentBuildEvent =
  | { readonly what: "message"; readonly text: string }
  | {
      readonly what: "step-started";
      readonly stepId: string;
      readonly title: string | null;
      readonly description: string | null;
      readonly index: number | null;
      readonly total: number | null;
    }
  | { readonly what: "step-completed"; readonly stepId: string }
  | { readonly what: "status"; readonly status: BuildStatus; readonly output: string | null }
  | ({ readonly what: "asked" } & QuestionSet)
  | { readonly what: "completed" }
  | { readonly what: "failed"; readonly reason: string | null };

/** Who says it: the agent, people, or this server where the agent did not. */
export type FeedSource = "agent" | "backend" | "user";

/** What everyone who looks at a build is told. */
export type BuildFeedEvent = { readonly source: FeedSource } & (
  | { readonly what: "started" }
  | { readonly what: "message"; readonly text: string }
  | ({
      readonly what: "step-started";
      readonly stepId: string;
      readonly index: number;
      readonly total: number;
    } & Omit<BuildStep, "id">)
  | { readonly what: "step-completed"; readonly stepId: string }
  | { readonly what: "status"; readonly status: BuildStatus; readonly output: string | null }
  | ({ readonly what: "asked" } & QuestionSet)
  | {
      readonly what: "answered";
      readonly setId: string | null;
      readonly answers: readonly BuildAnswer[];
    }
  | { readonly what: "wait-began"; readonly wait: BuildWait }
  | { readonly what: "wait-ended"; readonly wait: BuildWait; readonly outcome: WaitOutcome }
  | { readonly what: "completed" }
  | { readonly what: "failed"; readonly reason: string | null }
);

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

export interface BuildFacts {
  readonly id: string;
  readonly prompt: string;
  readonly agentId: string;
  readonly handle: string;
  readonly conversationKey: string;
  readonly sessionId: string;
  /** Those of the day it was started. */
  readonly steps: readonly BuildStep[];
}

export type BuildEvent =
  | ({ readonly type: "build.started" } & BuildFacts)
  | {
      readonly type: "build.told";
      readonly telling: BuildFeedEvent;
      readonly origin: Origin | null;
    }
  | { readonly type: "build.turn.wanted"; readonly turn: BuildTurn }
  /** Something was put right before it was told, or was not worth telling. */
  | {
      readonly type: "build.repaired";
      readonly why: string;
      readonly text: string;
      readonly origin: Origin | null;
    }
  /** Kept for whoever wants to know what went wrong; told to no one. */
  | {
      readonly type: "build.rejected";
      readonly why: string;
      readonly text: string;
      readonly origin: Origin | null;
    }
  | { readonly type: "build.cancelled"; readonly by: Answerer };

export type BuildCommand =
  | ({ readonly type: "start" } & BuildFacts)
  /** A line of the agent's; `why` instead of a saying where it could not be read. */
  | {
      readonly type: "hear";
      readonly origin: Origin;
      readonly text: string;
      readonly said:
        | {
            readonly ok: true;
            readonly saying: AgentBuildEvent;
            readonly repairs: readonly string[];
          }
        | { readonly ok: false; readonly why: string };
    }
  | { readonly type: "answer"; readonly answers: readonly BuildAnswer[] }
  | { readonly type: "cancel"; readonly by: Answerer }
  /** `cut-off`: the server was stopped under it; the agent is not to blame. */
  | {
      readonly type: "end-turn";
      readonly runId: string;
      readonly how: "completed" | "failed" | "cut-off";
      readonly reason: string;
    }
  /** The agent waits for people in the middle of its turn, and no longer. */
  | { readonly type: "wait"; readonly wait: BuildWait }
  | { readonly type: "end-wait"; readonly id: string; readonly outcome: WaitOutcome }
  /** Something the agent said to people by a tool. */
  | { readonly type: "reply"; readonly text: string }
  /** Nothing has been told since that many tellings. */
  | { readonly type: "reassure"; readonly told: number }
  | {
      readonly type: "set-aside";
      readonly text: string;
      readonly why: string;
      readonly origin: Origin | null;
    };
