/**
 * A build, rehearsed: the seven steps, one question on the way, a program in its folder if it has one, a draft at the
 * end, said as any agent says them: one JSON line each. What was said before is read from the turn's history, so that a build
 * that was interrupted goes on where it was.
 */
import { BUILD_STEPS, type BuildStepId } from "@atrium/wire/build";
import type { Turn, TurnEvent } from "../turn/agent-runtime.ts";
import type { Meter } from "../turn/usage/usage-meter.ts";
import { createDice } from "./dice.ts";
import { readDirections, type Direction } from "./directions.ts";
import { artifactFor, programSubject, readRequest } from "./improvise.ts";
import { playDirection } from "./play-direction.ts";
import {
  describeFiles,
  FIRST_ROUND,
  hasWorkshop,
  workOnProgram,
  type WorkStage,
} from "./rehearse-work.ts";

export interface RehearsedStage extends WorkStage {
  readonly meter: Meter;
  readonly seed: number;
}

const STEP_MS = 900;
/** The step before which it asks, and the one in which stage directions are followed. */
const ASKS_BEFORE: BuildStepId = "research";
const WORKS_IN: BuildStepId = "assemble";
const QUESTION = {
  question_id: "audience",
  prompt: "Who is this for?",
  input: "single_choice",
  required: true,
  options: [
    { id: "me", label: "Just me" },
    { id: "team", label: "My team", description: "People I work with" },
    { id: "everyone", label: "Everyone" },
  ],
};

export function isBuildTurn({ env }: Turn): boolean {
  return env["TIDY_BUILD_ID"] !== undefined;
}

/** What the message says after its headers; the first turn's and an answer's may hold stage directions. */
export function bodyOf({ prompt }: Turn): string {
  return /^System note:.*\n([^]*)$/m.exec(prompt)?.[1] ?? prompt;
}

export function isFresh({ history, prompt }: Turn): boolean {
  return history.length === 0 || !prompt.includes("[MESSAGE_TYPE:BUILD_REQUEST]");
}

export async function* rehearseBuild(stage: RehearsedStage): AsyncGenerator<TurnEvent, undefined> {
  const { turn, host, meter, pace } = stage;
  const answers = turn.history.filter(({ role }) => role === "assistant").map(({ text }) => text);
  const hasSaid = (type: string, stepId = ""): boolean =>
    answers.some((text) =>
      text.split("\n").some((line) => line.includes(`"${type}"`) && line.includes(`"${stepId}`)),
    );
  function* say(type: string, payload: object): Generator<TurnEvent, void> {
    const delta = `${JSON.stringify({ type, payload: { ...payload, source: "agent" } })}\n`;
    meter.wrote(delta);
    yield { type: "text", delta };
  }
  // An interrupted step does not do again what may have interrupted it.
  const isNew = !hasSaid("progress.step.started", WORKS_IN);
  const { directions } = readDirections(isNew ? (turn.env["TIDY_BUILD_PROMPT"] ?? "") : "");

  const draft = draftOf(stage);
  let files = "";
  if (!hasSaid("status.changed")) yield* say("status.changed", { status: "running" });
  if (isAnswer(turn)) {
    // The options' ids are for machines.
    const answer = bodyOf(turn).replaceAll(/ \([^()]*\)$/gm, "");
    yield* say("assistant.message.created", { text: `Thank you. I’ll go on with: ${answer}` });
  }
  for (const [place, { id, ...step }] of BUILD_STEPS.entries()) {
    if (hasSaid("progress.step.completed", id)) continue;
    if (id === ASKS_BEFORE && !hasSaid("question.requested")) {
      yield* say("question.requested", QUESTION);
      return undefined;
    }
    if (!hasSaid("progress.step.started", id)) {
      const where = { index: place + 1, total: BUILD_STEPS.length };
      yield* say("progress.step.started", { step_id: id, ...step, ...where });
    }
    host.signal.throwIfAborted();
    await host.sleep(STEP_MS * pace);
    const failure = id === WORKS_IN ? yield* follow(directions, stage) : undefined;
    if (failure !== undefined) {
      yield* say("status.changed", { status: "failed" });
      yield* say("session.failed", { reason: failure });
      return undefined;
    }
    if (id === WORKS_IN && hasWorkshop(stage)) {
      const subject = programSubject(topicOf(turn), turn.agent.role);
      files = `\n${describeFiles(yield* workOnProgram(stage, subject, FIRST_ROUND))}`;
    }
    yield* say("progress.step.completed", { step_id: id });
  }
  const text = `${draft.text}${files}`;
  meter.wrote(text);
  yield { type: "artifact", name: draft.name, mediaType: "text/markdown", text };
  yield* say("status.changed", { status: "complete", output: outputOf(turn) });
  yield* say("session.completed", {});
  return undefined;
}

/** Returns why the build fails, if a direction says so. */
async function* follow(
  directions: readonly Direction[],
  { host, meter }: RehearsedStage,
): AsyncGenerator<TurnEvent, string | undefined> {
  for (const [at, direction] of directions.entries()) {
    const played = yield* playDirection(direction, { host, meter, number: at + 1 });
    if (played.type === "failure") return played.reason;
  }
  return undefined;
}

function draftOf({ turn, seed }: RehearsedStage): { readonly name: string; readonly text: string } {
  const request = { ...turn, prompt: turn.env["TIDY_BUILD_PROMPT"] ?? "" };
  return artifactFor(topicOf(turn), request, createDice(seed, turn.runId));
}

function outputOf(turn: Turn): string {
  return `This was a rehearsal: no model is connected to ${turn.agent.name} yet, so a draft was made instead of “${topicOf(turn)}”.`;
}

function topicOf({ env }: Turn): string {
  const { rest } = readDirections(env["TIDY_BUILD_PROMPT"] ?? "");
  const request = readRequest(rest);
  return request.kind === "greeting" ? "your build" : request.topic;
}

function isAnswer({ prompt }: Turn): boolean {
  return /^\[MESSAGE_TYPE:USER_ANSWERS?\]$/m.test(prompt);
}
