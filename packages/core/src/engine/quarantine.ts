/**
 * Entries that could not be folded: counted, reported, and left out. They stay in the log; a version that can read them finds
 * them there. What is damaged is reported entry by entry; of what a newer server wrote, the first of each type.
 */
import type { Entry } from "@atrium/log";
import { EntryProblem } from "./codec.ts";
import { Fault } from "./refusal.ts";

/** Beyond this many lines a journal says no more than the count does. */
const MAX_REPORTS = 100;
const MAX_TYPES = 100;
const MAX_REMEMBERED = 10_000;
const OTHER_TYPES = "other types";

export class Quarantine {
  readonly #report: (fault: Fault) => void;
  readonly #damaged = new Map<string, number>();
  readonly #unknown = new Map<string, number>();
  readonly #seen = new Set<string>();
  #reports = 0;

  constructor(report: (fault: Fault) => void) {
    this.#report = report;
  }

  /** How many damaged entries each reader left out: a projection, an aggregate, or `all` of them. */
  get damaged(): ReadonlyMap<string, number> {
    return this.#damaged;
  }

  /** How many entries there are of each type that this server does not know, or knows only an older version of. */
  get unknown(): ReadonlyMap<string, number> {
    return this.#unknown;
  }

  /** The same entry counts once for a reader, however often it is met; one that is unknown is so to every reader. */
  add(reader: string, entry: Entry, cause: unknown): void {
    const isUnknown = cause instanceof EntryProblem && cause.kind === "unknown";
    const name = isUnknown ? String(entry.seq) : `${entry.seq} ${reader}`;
    if (this.#seen.has(name)) return;
    if (this.#seen.size < MAX_REMEMBERED) this.#seen.add(name);
    const fault = cause instanceof EntryProblem ? new Fault(cause.why) : cause;
    if (isUnknown) this.#addUnknown(entry, fault);
    else this.#addDamaged(reader, entry, fault);
  }

  #addUnknown({ stream, type, seq }: Entry, cause: unknown): void {
    const hasRoom = this.#unknown.has(type) || this.#unknown.size < MAX_TYPES;
    const name = hasRoom ? type : OTHER_TYPES;
    const count = addOne(this.#unknown, name);
    if (count > 1) return;
    const problem = `${name}: entries of a type or version unknown here are kept and left out`;
    this.#report(new Fault(problem, { stream, type, seq }, cause));
  }

  #addDamaged(reader: string, { stream, type, seq }: Entry, cause: unknown): void {
    addOne(this.#damaged, reader);
    if (this.#reports === MAX_REPORTS) return;
    this.#reports++;
    const isLast = this.#reports === MAX_REPORTS;
    const more = isLast ? "; further ones are counted and not reported" : "";
    const context = { reader, stream, type, seq };
    this.#report(
      new Fault(`an entry could not be read and is left out (quarantined)${more}`, context, cause),
    );
  }
}

function addOne(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}
