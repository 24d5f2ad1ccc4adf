/**
 * Polls: said in a channel, voted on from anywhere, and their result said in the same place.
 *
 * The message goes first: where it cannot be delivered there is no poll. Both steps have their own key,
 * so a client that repeats the call completes what a crash cut in two.
 */
import { createHash } from "node:crypto";
import {
  accept,
  pollProblem,
  poll,
  refuse,
  rowIn,
  streamOf,
  tallyOf,
  type Answerer,
  type BatchListener,
  type Clock,
  type Dispatch,
  type Outcome,
  type PollRow,
  type Polls,
  type PollSubject,
} from "@atrium/core";
import type { Key } from "@atrium/log";
import type { Deadlines } from "../reactions/deadlines.ts";
import type { Channel, Channels, Delivery } from "./channel.ts";

export interface PollCommandsDeps {
  readonly dispatch: Dispatch;
  readonly polls: Polls;
  readonly channels: Pick<Channels, "find">;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
}

export interface NewPoll extends Omit<PollSubject, "channel" | "closesAt"> {
  readonly durationMs: number | null;
  readonly from: string;
  readonly agent: string | undefined;
  readonly key: Key;
}

/** An option by its label, or by its number counted from 1. */
export type PollChoice = string | number;

export interface PollCommands {
  open(
    channel: Channel,
    request: NewPoll,
  ): Promise<Outcome<Delivery & { readonly pollId: string }>>;
  vote(
    id: string,
    choices: readonly PollChoice[],
    by: Answerer,
    key?: Key,
  ): Promise<Outcome<PollRow>>;
  close(id: string, by: Answerer | null, key?: Key): Promise<Outcome<PollRow>>;
  readonly onBatch: BatchListener;
  /** After a start: gives open polls their deadlines back, and says results that were not said. */
  recover(): Promise<void>;
}

/** Well within the time that keys are remembered, so that no result is said twice. */
const RESULT_WINDOW_MS = 60 * 60_000;

export function createPollCommands(deps: PollCommandsDeps): PollCommands {
  const { dispatch, polls, channels, clock, deadlines } = deps;

  async function open(channel: Channel, request: NewPoll): ReturnType<PollCommands["open"]> {
    const { durationMs, from, agent, key, ...question } = request;
    const id = pollIdOf(key);
    const closesAt = durationMs === null ? null : clock.now() + durationMs;
    const draft: PollSubject = { ...question, channel: channel.id, closesAt };
    const flaw = pollProblem(draft);
    if (flaw !== undefined) return refuse("poll.malformed", flaw);
    // Nothing in the text may depend on the time: a repeated call says the same words.
    const message = { to: draft.to, text: announce(id, draft), from, agent };
    const delivered = await channel.deliver({ ...message, key: part(key, "message") });
    if (!delivered.ok) return delivered;
    const subject = { ...draft, to: delivered.value.to };
    const done = await dispatch(poll, id, { type: "open", id, subject }, key);
    return done.ok ? accept({ ...delivered.value, pollId: id }) : done;
  }

  async function vote(
    id: string,
    choices: readonly PollChoice[],
    by: Answerer,
    key?: Key,
  ): Promise<Outcome<PollRow>> {
    const row = polls.get(id);
    if (row === undefined) return refuse("poll.missing", id);
    const { options } = row.subject;
    const places = choices.map((choice) => placeOf(options, choice));
    const stray = places.indexOf(-1);
    if (stray !== -1) return refuse("poll.misvoted", `there is no option ${choices[stray]}`);
    const done = await dispatch(poll, id, { type: "vote", choices: places, by }, key);
    return done.ok ? accept(polls.get(id) ?? row) : done;
  }

  async function close(id: string, by: Answerer | null, key?: Key): Promise<Outcome<PollRow>> {
    const row = polls.get(id);
    if (row === undefined) return refuse("poll.missing", id);
    const done = await dispatch(poll, id, { type: "close", by }, key);
    if (!done.ok) return done;
    const closed = polls.get(id) ?? row;
    await sayResult(closed);
    return accept(closed);
  }

  /** A channel that has gone meanwhile cannot be told; the tally stays readable. */
  async function sayResult(row: PollRow): Promise<void> {
    const channel = channels.find(row.subject.channel);
    if (!channel.ok) return;
    const key = { id: `poll-result:${row.id}`, digest: row.id };
    const text = describeResult(row);
    await channel.value.deliver({ to: row.subject.to, text, from: "Poll", agent: undefined, key });
  }

  function notice(row: PollRow): void {
    const name = streamOf(poll, row.id);
    const { closesAt } = row.subject;
    if (row.closed !== null) deadlines.clear(name);
    else if (closesAt !== null) deadlines.set(name, closesAt, () => close(row.id, null));
  }

  return {
    open,
    vote,
    close,
    onBatch(entries) {
      for (const { stream } of entries) {
        const row = rowIn(poll, polls, stream);
        if (row !== undefined) notice(row);
      }
    },
    async recover() {
      for (const row of polls.listOpen()) notice(row);
      const since = clock.now() - RESULT_WINDOW_MS;
      for (const row of polls.listClosed()) {
        if (row.closed !== null && row.closed.at >= since) await sayResult(row);
      }
    },
  };
}

/** Made from the call's key, so that a repeated call means the same poll. */
function pollIdOf({ id }: Key): string {
  return `poll_${createHash("sha256").update(id).digest("base64url").slice(0, 16)}`;
}

function part({ id, digest }: Key, name: string): Key {
  return { id: `${id}/${name}`, digest };
}

function placeOf(options: readonly string[], choice: PollChoice): number {
  const label = String(choice).trim().toLowerCase();
  const place = options.findIndex((option) => option.trim().toLowerCase() === label);
  if (place !== -1) return place;
  return /^\d{1,2}$/.test(label) && options[Number(label) - 1] !== undefined
    ? Number(label) - 1
    : -1;
}

function announce(id: string, { question, options, maxSelections }: PollSubject): string {
  const choices = options.map((option, place) => `${place + 1}. ${option}`);
  const howMany = maxSelections === 1 ? "Choose one" : `Choose up to ${maxSelections}`;
  return [`Poll: ${question}`, ...choices, `${howMany}. Poll id: ${id}`].join("\n");
}

function describeResult(row: PollRow): string {
  const { voters, options } = tallyOf(row);
  const lines = options.map(({ label, votes, names }) => {
    return `${label}: ${votes}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
  });
  const head = `Poll closed: ${row.subject.question}`;
  return [head, ...lines, `${voters} ${voters === 1 ? "vote" : "votes"}`].join("\n");
}
