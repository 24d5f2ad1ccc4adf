/**
 * A cost that an agent counts over its whole session, as what one turn of it cost. Where the session was before is
 * not always known (one that was taken up again); then neither is the cost of the turn, and the next one's is.
 */
import { roundCost } from "@atrium/core";

export class RunningTotal {
  #before: number | undefined;
  #latest: number | undefined;

  /** `start`: 0 for a session that has just begun; undefined for one that goes on. */
  constructor(start: number | undefined) {
    this.#latest = start;
  }

  begin(): void {
    this.#before = this.#latest;
  }

  /** What it had come to before the turn that has just begun. */
  had(total: number): void {
    this.#before = total;
    this.#latest = total;
  }

  /** What the turn has cost so far. A total that falls tells nothing. */
  add(total: number): number | undefined {
    this.#latest = total;
    const before = this.#before;
    return before === undefined || total < before ? undefined : roundCost(total - before);
  }
}
