/**
 * Poll: a question to everyone in a channel; each has one vote, which may be changed until it closes.
 *
 * Pure: no clock, no ids, no I/O. Choices are the options' places, counted from 0.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import { describeAnswerer, type Answerer } from "../people/answerer.ts";
import { POLL_EVENTS } from "./poll-shapes.ts";

export interface PollSubject {
  readonly question: string;
  readonly options: readonly string[];
  readonly maxSelections: number;
  /** Whether the tally names no one. */
  readonly isAnonymous: boolean;
  readonly channel: string;
  /** Where in the channel: the conversation's key, for one. */
  readonly to: string;
  /** When it closes by itself; null when someone has to. */
  readonly closesAt: number | null;
}

export type PollCommand = TaggedUnion<{
  open: { id: string; subject: PollSubject };
  vote: { choices: readonly number[]; by: Answerer };
  /** `null`: its time was up. */
  close: { by: Answerer | null };
}>;

export type PollEvent = TaggedUnion<{
  "poll.opened": { id: string; subject: PollSubject };
  "poll.voted": { choices: readonly number[]; by: Answerer };
  "poll.closed": { by: Answerer | null };
}>;

export type Poll = TaggedUnion<
  {
    absent: object;
    open: {
      subject: PollSubject;
      /** By the voter's id. */
      votes: ReadonlyMap<string, readonly number[]>;
    };
    closed: { by: Answerer | null };
  },
  "state"
>;

const MIN_OPTIONS = 2;
const MAX_OPTIONS = 12;

function decide(poll: Poll, command: PollCommand): Outcome<readonly PollEvent[]> {
  if (command.type === "open") {
    const { id, subject } = command;
    if (poll.state !== "absent") return refuse("poll.taken", id);
    const flaw = pollProblem(subject);
    if (flaw !== undefined) return refuse("poll.malformed", flaw);
    return accept([{ type: "poll.opened", id, subject }]);
  }
  switch (poll.state) {
    case "absent":
      return refuse("poll.missing");
    case "closed": {
      const who = poll.by === null ? "its time was up" : `closed by ${describeAnswerer(poll.by)}`;
      return refuse("poll.closed", who);
    }
    case "open":
      if (command.type === "close") return accept([{ type: "poll.closed", by: command.by }]);
      return vote(poll.subject, poll.votes.get(command.by.id), command);
  }
}

function vote(
  { options, maxSelections }: PollSubject,
  earlier: readonly number[] | undefined,
  { choices, by }: PollCommand & { type: "vote" },
): Outcome<readonly PollEvent[]> {
  const chosen = [...new Set(choices)].toSorted((a, b) => a - b);
  const stray = chosen.find((choice) => options[choice] === undefined);
  if (stray !== undefined) return refuse("poll.misvoted", `there is no option ${stray + 1}`);
  if (chosen.length === 0) return refuse("poll.misvoted", "nothing was chosen");
  if (chosen.length > maxSelections) {
    return refuse("poll.misvoted", `${chosen.length} chosen, ${maxSelections} allowed`);
  }
  const isUnchanged = earlier !== undefined && String(earlier) === String(chosen);
  return accept(isUnchanged ? [] : [{ type: "poll.voted", choices: chosen, by }]);
}

/** What is wrong with a poll, if anything is. */
export function pollProblem(subject: PollSubject): string | undefined {
  const { question, options, maxSelections } = subject;
  if (question.trim() === "") return "the question is empty";
  if (options.length < MIN_OPTIONS || options.length > MAX_OPTIONS) {
    return `${options.length} options; there must be ${MIN_OPTIONS} to ${MAX_OPTIONS}`;
  }
  const labels = new Set(options.map((option) => option.trim().toLowerCase()));
  if (labels.has("")) return "an option is empty";
  if (labels.size < options.length) return "two options are the same";
  if (maxSelections < 1 || maxSelections > options.length) {
    return `maxSelections is ${maxSelections}; there are ${options.length} options`;
  }
  return undefined;
}

function evolve(poll: Poll, event: PollEvent): Poll {
  switch (event.type) {
    case "poll.opened":
      return { state: "open", subject: event.subject, votes: new Map() };
    case "poll.voted":
      if (poll.state !== "open") return poll;
      return { ...poll, votes: new Map(poll.votes).set(event.by.id, event.choices) };
    case "poll.closed":
      return { state: "closed", by: event.by };
  }
}

export const poll: Aggregate<Poll, PollCommand, PollEvent> = {
  name: "poll",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<PollEvent>(POLL_EVENTS),
};
