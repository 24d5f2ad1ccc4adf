/** A build as its events leave it. */
import type {
  BuildCheckResult,
  HeldLine,
  QuestionSet,
  BuildEvent,
  BuildFacts,
  BuildTurn,
  BuildAnswer,
  Origin,
  BuildFeedEvent,
} from "./events.ts";
import type { BuildWait } from "./waits.ts";

/** `working`: it is the agent's turn. `waiting`: it is people's. The others are ends. */
export type BuildStage = "working" | "waiting" | "completed" | "failed" | "cancelled";

export interface StartedBuild extends Omit<BuildFacts, "repository"> {
  /** The id of the repository it is about; null: one of its own. */
  readonly repository: string | null;
  readonly stage: BuildStage;
  readonly turn: BuildTurn;
  /** The last line of the turn that was heard. */
  readonly heard: number;
  readonly isRunning: boolean;
  readonly current: string | null;
  readonly done: readonly string[];
  readonly asked: QuestionSet | null;
  /** Every id that was ever asked under. */
  readonly askedIds: readonly string[];
  readonly answers: readonly BuildAnswer[];
  /** What the turn under way waits for, oldest first. */
  readonly waits: readonly BuildWait[];
  /** The terminal status, once it was told. */
  readonly verdict: "complete" | "failed" | null;
  readonly output: string | null;
  readonly reason: string | null;
  readonly told: number;
  readonly rejected: number;
  /** Why lines of the turn under way were rejected, as far as its agent is told: the latest. */
  readonly objections: readonly string[];
  /** Whether the turn under way has begun or ended a step. */
  readonly hasProgressed: boolean;
  /** Whether the present silence has been broken by us. */
  readonly isReassured: boolean;
  readonly isCancelled: boolean;
  /** What the turn under way said when the checks had not passed yet. */
  readonly held: readonly HeldLine[];
  /** Whether the checks run; the turn is over. */
  readonly isChecking: boolean;
  /** How they ended the last time. */
  readonly checked: readonly BuildCheckResult[];
  /** How often they have failed. */
  readonly failedChecks: number;
}

export type Build = { readonly stage: "absent" } | StartedBuild;

const MAX_OBJECTIONS = 5;

const NO_TURN: BuildTurn = {
  runId: "",
  number: 0,
  message: "request",
  questionIds: [],
  body: "",
  isNudge: false,
};

export function hasEnded({ stage }: Build): boolean {
  return stage === "completed" || stage === "failed" || stage === "cancelled";
}

export function evolveBuild(build: Build, event: BuildEvent): Build {
  if (event.type === "build.started") return begin(event);
  if (build.stage === "absent") return build;
  switch (event.type) {
    case "build.told":
      return { ...build, ...heardIn(build, event.origin), ...published(build, event.telling) };
    case "build.turn.wanted":
      return {
        ...build,
        stage: "working",
        turn: event.turn,
        heard: 0,
        hasProgressed: false,
        objections: [],
        held: [],
      };
    case "build.held": {
      const { type: _, ...line } = event;
      return { ...build, ...heardIn(build, line.origin), held: [...build.held, line] };
    }
    case "build.repaired":
      return { ...build, ...heardIn(build, event.origin) };
    case "build.rejected":
      return {
        ...build,
        ...heardIn(build, event.origin),
        rejected: build.rejected + 1,
        objections: objectionsAfter(build, event),
      };
    case "build.cancelled":
      return { ...build, isCancelled: true };
  }
}

function begin(event: BuildEvent & { readonly type: "build.started" }): StartedBuild {
  const { type: _, repository = null, ...facts } = event;
  return {
    ...facts,
    repository,
    stage: "working",
    turn: NO_TURN,
    heard: 0,
    isRunning: false,
    current: null,
    done: [],
    asked: null,
    askedIds: [],
    answers: [],
    waits: [],
    verdict: null,
    output: null,
    reason: null,
    told: 0,
    rejected: 0,
    objections: [],
    hasProgressed: false,
    isReassured: false,
    isCancelled: false,
    held: [],
    isChecking: false,
    checked: [],
    failedChecks: 0,
  };
}

function heardIn(
  { turn, heard }: StartedBuild,
  origin: Origin | null,
): Pick<StartedBuild, "heard"> {
  return { heard: origin?.runId === turn.runId ? Math.max(heard, origin.line) : heard };
}

function objectionsAfter(
  { objections, turn }: StartedBuild,
  { why, origin }: BuildEvent & { readonly type: "build.rejected" },
): readonly string[] {
  if (origin?.runId !== turn.runId || objections.includes(why)) return objections;
  return [...objections, why].slice(-MAX_OBJECTIONS);
}

function published(build: StartedBuild, event: BuildFeedEvent): Partial<StartedBuild> {
  const isOurs = event.what === "message" && event.source === "backend";
  return { told: build.told + 1, isReassured: isOurs, ...changes(build, event) };
}

function changes(build: StartedBuild, event: BuildFeedEvent): Partial<StartedBuild> {
  switch (event.what) {
    case "started":
    case "message":
      return {};
    case "step-started":
      return { current: event.stepId, hasProgressed: true };
    case "step-completed":
      return { current: null, done: [...build.done, event.stepId], hasProgressed: true };
    case "status":
      return event.status === "running"
        ? { isRunning: true }
        : { verdict: event.status, output: event.output };
    case "asked": {
      const { what: _, source: _source, ...asked } = event;
      const ids = asked.questions.map(({ id }) => id);
      const set = asked.setId === null ? [] : [asked.setId];
      return { stage: "waiting", asked, askedIds: [...build.askedIds, ...ids, ...set] };
    }
    case "answered":
      return { asked: null, answers: [...build.answers, ...event.answers] };
    case "wait-began": {
      const { wait } = event;
      const ids = wait.kind === "question" ? wait.asked.questions.map(({ id }) => id) : [];
      return { waits: [...build.waits, wait], askedIds: [...build.askedIds, ...ids] };
    }
    case "wait-ended":
      return { waits: build.waits.filter(({ id }) => id !== event.wait.id) };
    case "checks-started":
      return { isChecking: true };
    case "checks-finished": {
      const failedChecks = build.failedChecks + (event.verdict === "failed" ? 1 : 0);
      return { isChecking: false, held: [], checked: event.results, failedChecks };
    }
    case "completed":
      return { stage: "completed", waits: [] };
    case "failed": {
      const stage = build.isCancelled ? "cancelled" : "failed";
      return { stage, reason: event.reason, waits: [], held: [], isChecking: false };
    }
  }
}
