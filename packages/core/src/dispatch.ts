/**
 * Dispatch: the only writer.
 *
 *   command -> read and fold the stream -> decide -> append -> projections caught up -> answer
 *
 * Commands for one stream are taken one after another, so two peers of this process never race;
 * another process may still be faster, and then the fold is caught up and the decision made again.
 * Folded states are kept while they are in use; the log can always rebuild them.
 */
import type { Draft, Entry, Key, Log, Position } from "@atrium/log";
import type { Clock } from "./ports.ts";
import { accept, refuse, type Outcome } from "./refusal.ts";

export interface Aggregate<State, Command, Event extends { readonly type: string }> {
  /** The first part of its streams' names. */
  readonly name: string;
  readonly initial: State;
  decide(state: State, command: Command): Outcome<readonly Event[]>;
  evolve(state: State, event: Event): State;
  /** The present shape of a stored entry; old shapes are upcast here and nowhere else. */
  readonly read: (entry: Entry) => Event;
}

export interface Decided<Event> {
  readonly position: Position;
  readonly events: readonly Event[];
  /** True when the key had been used: the events are those of the first time. */
  readonly repeated: boolean;
}

export type Dispatch = <State, Command, Event extends { readonly type: string }>(
  aggregate: Aggregate<State, Command, Event>,
  id: string,
  command: Command,
  key?: Key,
) => Promise<Outcome<Decided<Event>>>;

export interface DispatchDeps {
  readonly log: Pick<Log, "append" | "findKey" | "read" | "epoch">;
  readonly clock: Clock;
  /** Resolves once the projections have folded that entry, so that an answer is never ahead of them. */
  readonly settled: (seq: number) => Promise<void> | void;
}

const MAX_ATTEMPTS = 8;
const MAX_KEPT_STREAMS = 4_096;

interface Folded {
  readonly state: unknown;
  readonly head: number;
}

export function createDispatch({ log, clock, settled }: DispatchDeps): Dispatch {
  const kept = new Map<string, Folded>();
  const waiting = new Map<string, Promise<unknown>>();

  function keep(stream: string, folded: Folded): void {
    kept.delete(stream);
    kept.set(stream, folded);
    if (kept.size > MAX_KEPT_STREAMS) {
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    }
  }

  async function catchUp<State, Command, Event extends { readonly type: string }>(
    aggregate: Aggregate<State, Command, Event>,
    stream: string,
    isStale: boolean,
  ): Promise<{ state: State; head: number }> {
    const known = kept.get(stream);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream belongs to one aggregate
    let state = known === undefined ? aggregate.initial : (known.state as State);
    let head = known?.head ?? 0;
    if (known === undefined || isStale) {
      for await (const entry of log.read({ stream, after: head })) {
        state = aggregate.evolve(state, aggregate.read(entry));
        head = entry.seq;
      }
      keep(stream, { state, head });
    }
    return { state, head };
  }

  async function attempt<State, Command, Event extends { readonly type: string }>(
    aggregate: Aggregate<State, Command, Event>,
    stream: string,
    command: Command,
    key: Key | undefined,
  ): Promise<Outcome<Decided<Event>>> {
    if (key !== undefined) {
      const earlier = await log.findKey(key.id);
      if (earlier !== undefined) {
        if (earlier.digest !== key.digest) return refuse("key.reused", key.id);
        await settled(earlier.seq);
        const position = { epoch: log.epoch, seq: earlier.seq };
        return accept({ position, events: earlier.entries.map(aggregate.read), repeated: true });
      }
    }
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const { state, head } = await catchUp(aggregate, stream, tries > 0);
      const decision = aggregate.decide(state, command);
      if (!decision.ok) return decision;
      const drafts = decision.value.map((event) => draft(event, clock.now()));
      const written = await log.append(stream, head, drafts, key === undefined ? {} : { key });
      if (written.ok) {
        if (!written.repeated && written.entries.length > 0) {
          const next = decision.value.reduce((was, event) => aggregate.evolve(was, event), state);
          keep(stream, { state: next, head: written.position.seq });
        }
        await settled(written.position.seq);
        const { position, entries, repeated } = written;
        return accept({ position, events: entries.map(aggregate.read), repeated });
      }
      if (written.reason === "busy") return refuse("log.busy");
      if (written.reason === "key-reused") return refuse("key.reused", key?.id);
    }
    return refuse("log.contended", stream);
  }

  return (aggregate, id, command, key) => {
    const stream = streamOf(aggregate, id);
    const before = waiting.get(stream);
    const run = () => attempt(aggregate, stream, command, key);
    const mine = before === undefined ? run() : before.then(run, run);
    waiting.set(stream, mine);
    const leave = (): void => {
      if (waiting.get(stream) === mine) waiting.delete(stream);
    };
    mine.then(leave, leave);
    return mine;
  };
}

export function streamOf(aggregate: { readonly name: string }, id: string): string {
  return `${aggregate.name}/${id}`;
}

function draft({ type, ...data }: { readonly type: string }, at: number): Draft {
  return { type, at, data };
}
