/**
 * Whether an entry can be taken for what it says it is: its stream and type are known here, and it has the members that
 * every event of its type has. What is not so was damaged, or written by a newer version; it is kept, and nobody folds it.
 */
import { EntryProblem, UNKNOWN_TYPE, type FindProblem } from "../engine/codec.ts";
import { owns } from "../engine/dispatch.ts";
import { Fault } from "../engine/refusal.ts";
import { AGGREGATES, type StoredAggregate } from "./aggregates.ts";

const UNKNOWN_STREAM = new EntryProblem("unknown", "its stream is not known");

/** Two aggregates that own the same streams would fold each other's events: nothing starts with them. */
export function createProblemFinder(aggregates: readonly StoredAggregate[]): FindProblem {
  requireUniqueNames(aggregates);
  const types = aggregates.flatMap(({ name, onlyId, checks }) => {
    const only = onlyId === undefined ? undefined : `${name}/${onlyId}`;
    return Array.from(checks, ([type, check]) => ({ type, name, only, check }));
  });
  const byType = Map.groupBy(types, ({ type }) => type);
  const names = new Set(aggregates.map(({ name }) => name));
  return (entry) => {
    const { stream, type } = entry;
    for (const known of byType.get(type) ?? []) {
      const isOwned = known.only === undefined ? owns(known, stream) : stream === known.only;
      if (isOwned) return known.check(entry);
    }
    return names.has(stream.split("/", 1)[0] ?? "") ? UNKNOWN_TYPE : UNKNOWN_STREAM;
  };
}

function requireUniqueNames(aggregates: readonly StoredAggregate[]): void {
  const owned = new Set<string>();
  for (const { name, onlyId = "*" } of aggregates) {
    const streams = `${name}/${onlyId}`;
    if (name === "" || name.includes("/")) {
      throw new Fault(`"${name}" is no name for an aggregate: it is the first part of its streams`);
    }
    if (owned.has(streams)) {
      throw new Fault(`two aggregates are named "${name}" and own the same streams: ${streams}`);
    }
    owned.add(streams);
  }
}

/** What is wrong with an entry of the log; undefined when nothing is. */
export const findEventProblem = createProblemFinder(AGGREGATES);
