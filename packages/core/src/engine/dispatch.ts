/**
 * Dispatch: the only writer.
 *
 *   command -> line of its stream -> decide -> append -> projections caught up -> answer
 *
 * Every stream has a line (stream-line.ts) that takes its commands in order. Lines are kept while they
 * are in use, with the state they have folded; the log can always rebuild them.
 */
import type { Guard, Key, Log, Position } from "@atrium/log";
import { findUndecidable } from "../people/answerer.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { EventCodec } from "./codec.ts";
import type { Clock } from "./ports.ts";
import type { BatchListener } from "./projection-runner.ts";
import type { Quarantine } from "./quarantine.ts";
import { refuse, type Outcome } from "./refusal.ts";
import { StreamWriter } from "./stream-writer.ts";

/** What it decides and how it folds; its codec says how its events are kept. */
export interface Aggregate<
  State,
  Command,
  Event extends { readonly type: string },
> extends EventCodec<Event> {
  /** The first part of its streams' names. No two have the same, unless one of them has only one stream. */
  readonly name: string;
  /** The one stream it has, where the others of that name are another's. */
  readonly onlyId?: string;
  readonly initial: State;
  decide(state: State, command: Command): Outcome<readonly Event[]>;
  evolve(state: State, event: Event): State;
  /**
   * What it is after an entry that could not be read. Where rights hang on it there are none left, because that may be what the entry
   * said; left out: as if the entry were not there.
   */
  readonly distrust?: (state: State) => State;
  /** How many of a stream's newest entries the state depends on; left out: on all of them. */
  readonly recall?: number;
}

export interface DispatchResult<Event> {
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
  /** Nothing is written once that stream has another version. */
  guard?: Guard,
) => Promise<Outcome<DispatchResult<Event>>>;

export interface DispatchDeps {
  readonly log: Pick<Log, "append" | "findKey" | "read" | "epoch">;
  readonly clock: Clock;
  /** Resolves once the projections have folded that entry, so that an answer is never ahead of them. */
  readonly settled: (seq: number) => Promise<void> | void;
  readonly quarantine?: Pick<Quarantine, "add">;
  /** Where other nodes write to the same log: every entry, once it is folded. */
  readonly onBatch?: (listener: BatchListener) => void;
  /** Where the log can be away for a while; left out, what is under way ends by itself. */
  readonly trouble?: LogTrouble;
}

/** Why the log cannot be written for the moment. */
export interface LogTrouble {
  /** Undefined while it can be. */
  readonly reason: string | undefined;
  /** Calls back when the reason has changed. */
  readonly onChange: (listener: () => void) => void;
}

interface StreamLine {
  readonly isIdle: boolean;
  notice(seq: number): void;
  refuseWaiting(): void;
}

const MAX_KEPT_LINES = 4_096;
const SLASH = "/".charCodeAt(0);

export function createDispatch(deps: DispatchDeps): Dispatch {
  const lines = new BoundedMap<string, StreamLine>(MAX_KEPT_LINES, {
    mayEvict: ({ isIdle }) => isIdle,
  });
  deps.onBatch?.((entries) => {
    for (const { stream, seq } of entries) lines.get(stream)?.notice(seq);
  });
  const { trouble } = deps;
  trouble?.onChange(() => {
    if (trouble.reason === undefined) return;
    for (const line of lines.values()) line.refuseWaiting();
  });

  function lineOf<State, Command, Event extends { readonly type: string }>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
  ): StreamWriter<State, Command, Event> {
    const stream = streamOf(aggregate, id);
    const known = lines.touch(stream);
    const line = known ?? lines.setNewest(stream, new StreamWriter(aggregate, stream, deps));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream belongs to one aggregate
    return line as StreamWriter<State, Command, Event>;
  }

  return (aggregate, id, command, key, guard) => {
    // Nothing that an agent was given decides anything, whatever room it came by; nor does a stranger.
    const code = findUndecidable(command);
    return code === undefined
      ? lineOf(aggregate, id).take(command, { key, guard })
      : Promise.resolve(refuse(code));
  };
}

/** Dispatch for whoever acts under a lease: everything it writes carries the guard of that moment. */
export function guarded(dispatch: Dispatch, guardNow: () => Guard | undefined): Dispatch {
  return (aggregate, id, command, key) => dispatch(aggregate, id, command, key, guardNow());
}

export function streamOf(aggregate: { readonly name: string }, id: string): string {
  return `${aggregate.name}/${id}`;
}

/** Whether a stream is one of the aggregate's. Asked of every entry, so it makes no strings. */
export function owns({ name }: { readonly name: string }, stream: string): boolean {
  return stream.charCodeAt(name.length) === SLASH && stream.startsWith(name);
}

/** Which one of the aggregate's streams it is; undefined when it belongs to another aggregate. */
export function idIn(aggregate: { readonly name: string }, stream: string): string | undefined {
  return owns(aggregate, stream) ? stream.slice(aggregate.name.length + 1) : undefined;
}

/** The row of a projection that a stream is about. */
export function rowIn<Row>(
  aggregate: { readonly name: string },
  rows: { get(id: string): Row | undefined },
  stream: string,
): Row | undefined {
  const id = idIn(aggregate, stream);
  return id === undefined ? undefined : rows.get(id);
}
