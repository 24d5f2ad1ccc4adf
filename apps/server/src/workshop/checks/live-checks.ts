/**
 * The checks that run right now, and the end of what each has put out. Ephemeral: what became of one is in the log, and
 * all of its output beside it, once it has ended.
 */

export interface LiveCheck {
  readonly checkId: string;
  /** The task or build whose files are checked. */
  readonly workspaceId: string;
  /** The end of it. */
  readonly output: string;
}

/** `text`: what it has put out now; null: it has ended. */
export type CheckListener = (check: LiveCheck, text: string | null) => void;

const MAX_OUTPUT_CHARS = 65_536;

export class LiveChecks {
  readonly #checks = new Map<string, LiveCheck>();
  readonly #listeners: CheckListener[] = [];

  onOutput(listener: CheckListener): void {
    this.#listeners.push(listener);
  }

  list(): Iterable<LiveCheck> {
    return this.#checks.values();
  }

  /** Undefined when it does not run. */
  outputOf(checkId: string): string | undefined {
    return this.#checks.get(checkId)?.output;
  }

  begin(checkId: string, workspaceId: string): void {
    this.#checks.set(checkId, { checkId, workspaceId, output: "" });
  }

  add(checkId: string, text: string): void {
    const check = this.#checks.get(checkId);
    if (check === undefined || text === "") return;
    const now = { ...check, output: `${check.output}${text}`.slice(-MAX_OUTPUT_CHARS) };
    this.#checks.set(checkId, now);
    for (const listener of this.#listeners) listener(now, text);
  }

  end(checkId: string): void {
    const check = this.#checks.get(checkId);
    if (check === undefined) return;
    this.#checks.delete(checkId);
    for (const listener of this.#listeners) listener(check, null);
  }
}
