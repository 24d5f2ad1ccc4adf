/**
 * The rehearsal runtime: agents without a model, for demos, tests and first steps.
 *
 *   message -> stage directions? -> play them in order      -> completed or failed
 *                    \-> none    -> think, look up, answer, deliver -> completed
 *                     \-> a task  -> in its folder, if it has one (rehearse-work.ts), deliver -> completed
 *                     \-> a build -> its steps (rehearse-build.ts)   -> completed
 *
 * The same seed and turn give the same events; time and waiting are the host's. It never pretends to
 * be more than it is: answers, drafts and the model's name say that this is a rehearsal.
 */
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { isText, textOf, unreadNote } from "../turn/attachments.ts";
import { ABORTED, failed } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { createMeter, type Meter } from "../turn/usage/usage-meter.ts";
import { useTool } from "../turn/use-tool.ts";
import { chooseTool } from "./choose-tool.ts";
import { createDice } from "./dice.ts";
import { readDirections, type Directed } from "./directions.ts";
import {
  answerTo,
  artifactFor,
  programSubject,
  readRequest,
  thoughtOf,
  type LookedUp,
} from "./improvise.ts";
import { playDirection } from "./play-direction.ts";
import { bodyOf, isBuildTurn, isFresh, rehearseBuild } from "./rehearse-build.ts";
import { OFFER, offeredRequest, projectsAnswer } from "./rehearse-desk.ts";
import { quotedRequest, rehearsePlan } from "./rehearse-plan.ts";
import { questionAbout, readTask, writesDocuments, type RehearsedTask } from "./rehearse-task.ts";
import {
  describeFiles,
  hasWorkshop,
  workOnDocument,
  workOnProgram,
  workOnRemarks,
  type WorkReport,
} from "./rehearse-work.ts";
import { createVoice, type Voice } from "./voice.ts";

export interface RehearsalOptions {
  readonly seed?: number | undefined;
  /** What waiting is multiplied by: 0 answers at once, 1 takes about two seconds. */
  readonly pace?: number | undefined;
}

interface Stage {
  readonly turn: Turn;
  readonly host: TurnHost;
  readonly meter: Meter;
  readonly voice: Voice;
  readonly seed: number;
  readonly pace: number;
}

export function createRehearsal(
  name: string,
  { seed = 1, pace = 1 }: RehearsalOptions = {},
): AgentRuntime {
  return {
    name,
    type: "rehearsal",
    model: { provider: "rehearsal", id: "rehearsal-1", contextTokens: 200_000 },
    async *start(turn, host) {
      const meter = createMeter(turn);
      meter.charged(0);
      const stage = { turn, host, meter, voice: createVoice(host, meter, pace), seed, pace };
      try {
        yield* perform(stage);
      } catch (cause) {
        if (!host.signal.aborted) throw cause;
        yield meter.reading();
        yield ABORTED;
      }
    },
  };
}

async function* perform(stage: Stage): AsyncGenerator<TurnEvent, void> {
  const { host, meter } = stage;
  host.signal.throwIfAborted();
  yield meter.reading();
  const failure = yield* act(stage);
  host.signal.throwIfAborted();
  yield meter.reading();
  if (failure !== undefined) {
    yield failed("unknown", failure);
    return;
  }
  const offer = offeredRequest(stage);
  yield { type: "completed", stopReason: "stop", ...(offer !== undefined && { offer }) };
}

/** In the form that is wanted; returns why the turn fails, if a direction says so. */
function act(stage: Stage): AsyncGenerator<TurnEvent, string | undefined> {
  const { turn } = stage;
  switch (turn.form) {
    case "plan":
      return plan(stage);
    case "task":
      return workOn(stage, readTask(turn.prompt));
    case "any": {
      if (isBuildTurn(turn)) return build(stage);
      const directed = withDemanded(readDirections(turn.prompt), turn.mustCall ?? []);
      return directed.directions.length === 0
        ? improvise(stage, directed.rest, attachmentLines(turn).join("\n"))
        : follow(stage, directed);
    }
  }
}

/** Nobody here can tell what a tool wants to be given, so that one which must be called is given nothing. */
function withDemanded({ directions, rest }: Directed, mustCall: readonly string[]): Directed {
  const [name] = mustCall;
  const isCalled = directions.some((each) => each.type === "tool" && mustCall.includes(each.name));
  if (name === undefined || isCalled) return { directions, rest };
  return { directions: [{ type: "tool", name, input: {} }, ...directions], rest };
}

/** Directions in a request are for its first task, not for whoever plans it. */
async function* plan({ turn, voice, seed }: Stage): AsyncGenerator<TurnEvent, undefined> {
  const { rest } = readDirections(quotedRequest(turn.prompt));
  const dice = createDice(seed, rest);
  yield* voice.think("Who is good at which part of this?");
  yield* voice.say(rehearsePlan(turn.prompt, rest, dice));
  return undefined;
}

async function* workOn(
  stage: Stage,
  task: RehearsedTask,
): AsyncGenerator<TurnEvent, string | undefined> {
  const { turn, host, meter, voice, seed } = stage;
  const { title, isFirst, changes, comments, isFailed } = task;
  const dice = createDice(seed, `${turn.agent.id}\n${title}`);
  const { directions, rest } = readDirections(quotedRequest(turn.prompt));
  const isRework = changes !== undefined || comments.length > 0;
  const isDirected = isFirst && !isRework && !isFailed;
  if (isDirected && directions.length > 0) {
    const failure = yield* follow(stage, { directions, rest: "" });
    if (failure !== undefined) return failure;
  }
  let decided = "";
  if (isDirected && directions.length === 0) {
    const question = questionAbout(dice);
    const answer = await untilAborted(host.signal, host.ask(question));
    decided = answer === null ? "" : `${question.text} ${answer}.`;
  }
  const doing = isFailed ? "Mending" : isRework ? "Reworking" : "Working on";
  yield* voice.say(`(Rehearsal.) ${doing}: ${title}.\n${decided}\n`);
  const { name, text } = artifactFor(title, { ...turn, prompt: rest }, dice);
  const note = isRework ? `Changed as wished: ${wishesOf(task)}` : decided;
  const draft = note === "" ? text : `${text}\n## Decided\n\n${note}\n`;
  const report = hasWorkshop(stage) ? yield* workInFolder(stage, task, { name, draft }) : undefined;
  if (report !== undefined) yield* voice.say(`${report.outcome}\n`);
  // What is there already is only changed; delivered again, it would be as it was.
  if (report !== undefined && (isFailed || comments.length > 0)) return undefined;
  const whole = report === undefined ? draft : `${draft}\n${describeFiles(report)}`;
  meter.wrote(whole);
  yield* voice.say(`I have written ${name}.\n`);
  yield { type: "artifact", name, mediaType: "text/markdown", text: whole };
  return undefined;
}

function wishesOf({ changes, comments }: RehearsedTask): string {
  return [...(changes === undefined ? [] : [changes]), ...comments.map(({ text }) => text)].join(
    "\n",
  );
}

function workInFolder(
  stage: Stage,
  task: RehearsedTask,
  { name, draft }: { readonly name: string; readonly draft: string },
): AsyncGenerator<TurnEvent, WorkReport> {
  const { turn } = stage;
  const { role } = turn.agent;
  if (!writesDocuments(role)) {
    const request = readRequest(readDirections(quotedRequest(turn.prompt)).rest);
    const topic = request.kind === "greeting" ? task.title : request.topic;
    return workOnProgram(stage, programSubject(topic, role), task);
  }
  return task.comments.length > 0
    ? workOnRemarks(stage, task)
    : workOnDocument(stage, { path: name, content: draft });
}

/** What is to be said word for word is, instead of the steps. */
function build(stage: Stage): AsyncGenerator<TurnEvent, string | undefined> {
  const directed = readDirections(isFresh(stage.turn) ? bodyOf(stage.turn) : "");
  const saysItAll = directed.directions.some(({ type }) => type === "say");
  return saysItAll ? follow(stage, directed) : rehearseBuild(stage);
}

/** Plays the directions; returns why the turn fails, if one says so. */
async function* follow(
  stage: Stage,
  { directions, rest }: Directed,
): AsyncGenerator<TurnEvent, string | undefined> {
  const { turn, host, meter, voice } = stage;
  let hasSpoken = false;
  const say = async function* (text: string): AsyncGenerator<TurnEvent, void> {
    yield* voice.say(hasSpoken ? `\n${text}` : text);
    hasSpoken = true;
  };
  for (const note of attachmentLines(turn)) yield* say(note);
  for (const [at, direction] of directions.entries()) {
    const played = yield* playDirection(direction, { host, meter, number: at + 1 });
    switch (played.type) {
      case "line":
        yield* say(played.text);
        break;
      case "silence":
        break;
      case "failure":
        return played.reason;
    }
  }
  const saysItAll = directions.some(({ type }) => type === "say");
  if (rest !== "" && !saysItAll) return yield* improvise(stage, rest, hasSpoken ? "\n" : "");
  if (!hasSpoken) yield* say("(Rehearsal: the stage directions were followed.)");
  return undefined;
}

async function* improvise(
  stage: Stage,
  words: string,
  opening: string,
): AsyncGenerator<TurnEvent, undefined> {
  const { turn, host, meter, voice, seed } = stage;
  const request = readRequest(words);
  const dice = createDice(seed, `${turn.agent.id}\n${turn.history.length}\n${words}`);
  if (turn.wishes.thinking !== "off") yield* voice.think(thoughtOf(request, dice));
  host.signal.throwIfAborted();
  let lookedUp: LookedUp | undefined;
  const isLookup = request.kind === "question" || request.kind === "work";
  const tool = isLookup ? chooseTool(host.tools, request.topic) : undefined;
  if (tool !== undefined) {
    const result = yield* useTool(host, { id: "tool_0", ...tool });
    lookedUp = { tool: tool.name, ...result };
  }
  yield meter.reading();
  const answer = answerTo(request, turn, dice, {
    standing: projectsAnswer(stage, words),
    offer: offeredRequest(stage) === undefined ? undefined : OFFER,
    lookedUp,
  });
  yield* voice.say(opening === "" ? answer : `${opening.trimEnd()}\n\n${answer}`);
  host.signal.throwIfAborted();
  if (request.kind === "work") {
    const { name, text } = artifactFor(request.topic, turn, dice);
    meter.wrote(text);
    yield { type: "artifact", name, mediaType: "text/markdown", text };
  }
  return undefined;
}

function attachmentLines({ attachments }: Turn): readonly string[] {
  const read = attachments.filter(isText);
  const unread = attachments.filter((attachment) => !isText(attachment));
  return [
    ...read.map((attachment) => {
      const lines = textOf(attachment).trimEnd().split("\n").length;
      return `I have ${attachment.name} (${lines} ${lines === 1 ? "line" : "lines"}).`;
    }),
    ...(unread.length === 0 ? [] : [unreadNote(unread)]),
  ];
}
