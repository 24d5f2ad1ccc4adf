/**
 * Entries that could not be folded: counted, reported once each, and left out. They stay in the log; a version that can
 * read them finds them there.
 */
import type { Entry } from "@atrium/log";
import { Fault } from "./refusal.ts";

/** Beyond this many lines a journal says no more than the count does. */
const MAX_REPORTS = 100;
const MAX_REMEMBERED = 10_000;

export class Quarantine {
  readonly #report: (fault: Fault) => void;
  readonly #counts = new Map<string, number>();
  readonly #seen = new Set<string>();
  #reports = 0;

  constructor(report: (fault: Fault) => void) {
    this.#report = report;
  }

  /** How many entries each reader left out: a projection, an aggregate, or `all` of them. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** The same entry counts once for a reader, however often it is met. */
  add(reader: string, { stream, type, seq }: Entry, cause: unknown): void {
    const name = `${seq} ${reader}`;
    if (this.#seen.has(name)) return;
    if (this.#seen.size < MAX_REMEMBERED) this.#seen.add(name);
    this.#counts.set(reader, (this.#counts.get(reader) ?? 0) + 1);
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
