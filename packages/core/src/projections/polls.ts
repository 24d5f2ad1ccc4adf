/** Which polls are open, how they stand, and how the latest ones ended. */
import { BoundedMap } from "../engine/bounded-map.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import type { Answerer } from "../people/answerer.ts";
import { poll, type PollSubject } from "../poll/poll.ts";

export interface Vote {
  readonly name: string;
  readonly choices: readonly number[];
}

export interface PollRow {
  readonly id: string;
  readonly subject: PollSubject;
  readonly openedAt: number;
  /** By the voter's id. */
  readonly votes: ReadonlyMap<string, Vote>;
  readonly closed: { readonly at: number; readonly by: Answerer | null } | null;
}

export interface Tally {
  readonly voters: number;
  readonly options: readonly {
    readonly label: string;
    readonly votes: number;
    /** Who chose it; empty when the poll is anonymous. */
    readonly names: readonly string[];
  }[];
}

export interface Polls extends Projection<readonly SavedRow[]> {
  listOpen(): readonly PollRow[];
  /** Latest last. */
  listClosed(): readonly PollRow[];
  /** Open, or closed not long ago. */
  get(id: string): PollRow | undefined;
}

/** A row as plain JSON. */
interface SavedRow extends Omit<PollRow, "votes"> {
  readonly votes: readonly (readonly [voterId: string, vote: Vote])[];
}

const MAX_CLOSED = 200;

export function createPolls(): Polls {
  const open = new Map<string, PollRow>();
  const closed = new BoundedMap<string, PollRow>(MAX_CLOSED);

  return {
    name: "polls",
    version: 2,
    listOpen: () => [...open.values()],
    listClosed: () => [...closed.values()],
    get: (id) => open.get(id) ?? closed.get(id),
    apply(entry) {
      const id = idIn(poll, entry.stream);
      if (id === undefined) return;
      const event = poll.read(entry);
      if (event.type === "poll.opened") {
        const { subject } = event;
        open.set(id, { id, subject, openedAt: entry.at, votes: new Map(), closed: null });
        return;
      }
      const row = open.get(id);
      if (row === undefined) return;
      if (event.type === "poll.voted") {
        const vote = { name: event.by.name, choices: event.choices };
        open.set(id, { ...row, votes: new Map(row.votes).set(event.by.id, vote) });
        return;
      }
      open.delete(id);
      closed.set(id, { ...row, closed: { at: entry.at, by: event.by } });
    },
    save: (): readonly SavedRow[] =>
      [...closed.values(), ...open.values()].map((row) => ({ ...row, votes: [...row.votes] })),
    load(kept) {
      open.clear();
      closed.clear();
      for (const row of kept) {
        const rows = row.closed === null ? open : closed;
        rows.set(row.id, { ...row, votes: new Map(row.votes) });
      }
    },
  };
}

export function tallyOf({ subject, votes }: PollRow): Tally {
  const cast = [...votes.values()];
  return {
    voters: cast.length,
    options: subject.options.map((label, place) => {
      const chose = cast.filter(({ choices }) => choices.includes(place));
      const names = subject.isAnonymous ? [] : chose.map(({ name }) => name);
      return { label, votes: chose.length, names };
    }),
  };
}
