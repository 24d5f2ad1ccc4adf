/**
 * Build: from a request to its result in steps, told as it goes.
 *
 * `wait` and `end-wait` tell of what a turn waits for and change no stage. No reassurance while people are awaited.
 *
 *                 start       record          answer        end-turn          cancel     reassure
 *   absent        working     missing         missing       missing           missing    -
 *   working       taken       told, waiting,  not asking    next turn, or     cancelled  told once
 *                             ended, rejected               failed                       per silence
 *   waiting       taken       rejected        working       -                 cancelled  -
 *   ended         taken       rejected        ended         -                 ended      -
 *
 * Where the repository has checks, held-lines.ts says what nobody is told before they have passed: `end-turn` then
 * starts them, and `finish-checks` tells it, or has the agent go on.
 *
 * Pure: no clock, no ids, no I/O. A line that was heard before changes nothing; a turn that is not the
 * present one ends nothing.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import { describeAnswerer } from "../people/answerer.ts";
import { checkBuildAnswers, wordAnswers } from "./answers.ts";
import { BUILD_EVENTS } from "./build-shapes.ts";
import type {
  BuildCommand,
  BuildEvent,
  BuildFacts,
  BuildTurn,
  BuildAnswer,
  BuildFeedEvent,
} from "./events.ts";
import { checksStarted, isCulprit } from "./held-lines.ts";
import { cleaned, interpret, readableWait } from "./interpret.ts";
import { record, reject, tell } from "./record-line.ts";
import { evolveBuild, hasEnded, type StartedBuild, type Build } from "./state.ts";
import { checksBody, continueBody, failedAgain, nudgeBody } from "./turn-words.ts";

type Decision = Outcome<readonly BuildEvent[]>;
type Command<Type extends BuildCommand["type"]> = Extract<BuildCommand, { readonly type: Type }>;

const REASSURANCE = "I’m still working on this. I’ll tell you as soon as there is news.";
const MAX_REASON = 1_000;
const UNEXPLAINED = "The agent failed.";
const UNCHECKED = "The checks could not be run:";
const UNSAID = "The agent ended its turn twice without saying how the build stands.";

function decide(build: Build, command: BuildCommand): Decision {
  if (command.type === "start") return start(build, command);
  if (build.stage === "absent") return refuse("build.missing");
  switch (command.type) {
    case "record":
      return accept(record(build, command));
    case "answer":
      return answer(build, command);
    case "cancel":
      return cancel(build, command);
    case "end-turn":
      return accept(endTurn(build, command));
    case "reassure": {
      const isWorking = build.stage === "working" && build.waits.length === 0;
      const isSilent = isWorking && build.told === command.told;
      if (!isSilent || build.isReassured || build.verdict !== null) return accept([]);
      return accept([
        ...(build.isRunning ? [] : [feedEvent(RUNNING)]),
        feedEvent({ what: "message", text: REASSURANCE, source: "backend" }),
      ]);
    }
    case "finish-checks":
      return accept(finishChecks(build, command));
    case "wait":
      return accept(wait(build, command));
    case "end-wait":
      return accept(endWait(build, command));
    case "reply":
      return accept(reply(build, command));
    case "set-aside":
      return accept(reject(build, command));
  }
}

const RUNNING: BuildFeedEvent = {
  what: "status",
  status: "running",
  output: null,
  source: "backend",
};
const COMPLETED: BuildFeedEvent = { what: "completed", source: "backend" };
const MISSING_END: BuildEvent = {
  type: "build.repaired",
  why: "the turn ended before the session did",
  text: "",
  origin: null,
};

function start(build: Build, command: Command<"start">): Decision {
  const { type: _, ...facts } = command;
  if (build.stage !== "absent") return refuse("build.taken", facts.id);
  const turn = turnOf(facts, 1, { message: "request", body: facts.prompt });
  return accept([
    { type: "build.started", ...facts },
    feedEvent({ what: "started", source: "backend" }),
    { type: "build.turn.wanted", turn },
  ]);
}

function answer(build: StartedBuild, { answers }: Command<"answer">): Decision {
  if (hasEnded(build)) return refuse("build.ended", build.stage);
  const { asked } = build;
  const late = lateAnswer(build, answers);
  if (asked === null || late !== undefined) return refuse("build.not-asking", late);
  const checked = checkBuildAnswers(asked, answers);
  if (!checked.ok) return checked;
  const turn = turnOf(build, build.turn.number + 1, {
    message: asked.setId === null ? "answer" : "answers",
    questionIds: asked.questions.map(({ id }) => id),
    body: wordAnswers(asked, checked.value),
  });
  const { setId } = asked;
  return accept([
    feedEvent({ what: "answered", setId, answers: checked.value, source: "user" }),
    { type: "build.turn.wanted", turn },
  ]);
}

/** Who answers what has been answered is late, not wrong. */
function lateAnswer(
  { asked, askedIds }: StartedBuild,
  answers: readonly BuildAnswer[],
): string | undefined {
  const ids = answers.map(({ questionId }) => questionId);
  const isAsked = (id: string): boolean => asked?.questions.some((each) => each.id === id) ?? false;
  const late = ids.find((id) => !isAsked(id) && askedIds.includes(id));
  if (late !== undefined) return `${late} has been answered`;
  return asked === null ? "nothing is being asked" : undefined;
}

function cancel(build: StartedBuild, { by }: Command<"cancel">): Decision {
  // Asking twice leaves what was asked for.
  if (build.stage === "cancelled") return accept([]);
  if (hasEnded(build)) return refuse("build.ended", build.stage);
  // People have been told how it ended; only its last event is still to come.
  if (build.verdict !== null) return refuse("build.ended", build.verdict);
  return accept([
    { type: "build.cancelled", by },
    ...fail(build, `Cancelled by ${describeAnswerer(by)}.`),
  ]);
}

function endTurn(build: StartedBuild, command: Command<"end-turn">): readonly BuildEvent[] {
  const { runId, how, reason } = command;
  if (build.stage !== "working" || build.turn.runId !== runId || build.isChecking) return [];
  if (build.verdict === "complete") return [MISSING_END, feedEvent(COMPLETED)];
  if (build.verdict === "failed") {
    return [MISSING_END, ...fail(build, build.output ?? "The agent said that it failed.")];
  }
  switch (how) {
    case "failed":
      return fail(build, cleaned(build, reason, MAX_REASON) ?? UNEXPLAINED);
    case "cut-off":
      return [wanted(build, continueBody(build), build.turn.isNudge)];
    case "completed":
      if (build.held.length > 0) return [feedEvent(checksStarted(build))];
      if (build.turn.isNudge && !build.hasProgressed) return fail(build, unsaid(build));
      return [wanted(build, nudgeBody(build), true)];
  }
}

function finishChecks(
  build: StartedBuild,
  command: Command<"finish-checks">,
): readonly BuildEvent[] {
  const { runId, problem } = command;
  if (!build.isChecking || build.turn.runId !== runId || hasEnded(build)) return [];
  const results = command.results.map(({ tail: _tail, ...result }) => result);
  const culprits = command.results.filter(isCulprit);
  const verdict = problem === null && culprits.length === 0 ? "passed" : "failed";
  const finished = feedEvent({ what: "checks-finished", verdict, results, source: "backend" });
  const why = cleaned(build, problem, MAX_REASON);
  if (problem !== null) return [finished, ...fail(build, `${UNCHECKED} ${why ?? UNEXPLAINED}`)];
  if (verdict === "passed") return [finished, ...release(build, finished)];
  if (build.failedChecks > 0) return [finished, ...fail(build, failedAgain(culprits))];
  return [finished, wanted(build, checksBody(build, culprits), false)];
}

/** What was held is heard now, as if it had been said after the checks; then the turn ends as any other. */
function release(build: StartedBuild, finished: BuildEvent): readonly BuildEvent[] {
  const events: BuildEvent[] = [];
  let now = evolved(build, finished);
  const add = (more: readonly BuildEvent[]): void => {
    events.push(...more);
    for (const event of more) now = evolved(now, event);
  };
  for (const { event, repairs, text, origin } of build.held) {
    const result = interpret(now, event);
    const line = { origin, text, parsed: { ok: true, event, repairs } } as const;
    add(result.ok ? tell(line, result) : reject(now, { origin, text, why: result.why }));
  }
  const { runId } = build.turn;
  add(endTurn(now, { type: "end-turn", runId, how: "completed", reason: "" }));
  return events;
}

function evolved(build: StartedBuild, event: BuildEvent): StartedBuild {
  const next = evolveBuild(build, event);
  return next.stage === "absent" ? build : next;
}

/** The last objection says more than the silence after it. */
function unsaid(build: StartedBuild): string {
  const why = cleaned(build, build.objections.at(-1) ?? null, MAX_REASON);
  return why === null ? UNSAID : `${UNSAID} The last thing it said was not accepted: ${why}.`;
}

/** Whoever comes later than the end, or the verdict, has nobody who waits for them. */
function wait(build: StartedBuild, { wait: begun }: Command<"wait">): readonly BuildEvent[] {
  if (hasEnded(build) || build.verdict !== null) return [];
  if (build.waits.some(({ id }) => id === begun.id)) return [];
  const shown = readableWait(build, begun);
  return [
    ...(build.isRunning ? [] : [feedEvent(RUNNING)]),
    feedEvent({ what: "wait-began", wait: shown, source: "agent" }),
  ];
}

function endWait(build: StartedBuild, { id, outcome }: Command<"end-wait">): readonly BuildEvent[] {
  const begun = build.waits.find((each) => each.id === id);
  if (begun === undefined || hasEnded(build) || build.verdict !== null) return [];
  const source = outcome.how === "expired" ? "backend" : "user";
  return [feedEvent({ what: "wait-ended", wait: begun, outcome, source })];
}

function reply(build: StartedBuild, { text }: Command<"reply">): readonly BuildEvent[] {
  const verdict = interpret(build, { what: "message", text });
  if (!verdict.ok) return reject(build, { origin: null, text, why: verdict.why });
  return verdict.events.map((event) => feedEvent(event));
}

function wanted(build: StartedBuild, body: string, isNudge: boolean): BuildEvent {
  const turn = turnOf(build, build.turn.number + 1, { message: "request", body, isNudge });
  return { type: "build.turn.wanted", turn };
}

function fail(build: StartedBuild, reason: string): readonly BuildEvent[] {
  const failed: BuildFeedEvent = {
    what: "status",
    status: "failed",
    output: null,
    source: "backend",
  };
  return [
    ...(build.isRunning ? [] : [feedEvent(RUNNING)]),
    ...(build.verdict === null ? [feedEvent(failed)] : []),
    feedEvent({ what: "failed", reason, source: "backend" }),
  ];
}

function turnOf(
  { id }: Pick<BuildFacts, "id">,
  number: number,
  message: Pick<BuildTurn, "message" | "body"> & Partial<BuildTurn>,
): BuildTurn {
  return { runId: `build:${id}:${number}`, number, questionIds: [], isNudge: false, ...message };
}

function feedEvent(event: BuildFeedEvent): BuildEvent {
  return { type: "build.told", telling: event, origin: null };
}

export const build: Aggregate<Build, BuildCommand, BuildEvent> = {
  name: "build",
  initial: { stage: "absent" },
  decide,
  evolve: evolveBuild,
  ...createCodec<BuildEvent>(BUILD_EVENTS),
};
