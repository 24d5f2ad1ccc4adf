/**
 * Whether an entry can be taken for what it says it is: its stream and type are known here, and it has the members that
 * every event of its type has. What is not so was damaged, or written by a newer version; it is kept, and nobody folds it.
 */
import type { Entry } from "@atrium/log";
import { UNKNOWN_TYPE } from "../engine/codec.ts";
import { AGGREGATES, type StoredAggregate } from "./aggregates.ts";

const SLASH = "/".charCodeAt(0);
const NAMES: ReadonlySet<string> = new Set(AGGREGATES.map(({ name }) => name));
const BY_TYPE = Map.groupBy(
  AGGREGATES.flatMap((aggregate) => aggregate.types.map((type) => ({ type, aggregate }))),
  ({ type }) => type,
);

/** What is wrong with an entry, in words; undefined when nothing is. */
export function findEventProblem(entry: Entry): string | undefined {
  const { stream, type } = entry;
  for (const { aggregate } of BY_TYPE.get(type) ?? []) {
    if (isOwned(stream, aggregate)) return aggregate.findProblem(entry);
  }
  const [name = ""] = stream.split("/", 1);
  return NAMES.has(name) ? UNKNOWN_TYPE : "its stream is not known";
}

function isOwned(stream: string, { name, onlyId }: StoredAggregate): boolean {
  const { length } = name;
  if (!stream.startsWith(name)) return false;
  if (onlyId !== undefined) return stream === `${name}/${onlyId}`;
  return stream.length === length || stream.charCodeAt(length) === SLASH;
}
