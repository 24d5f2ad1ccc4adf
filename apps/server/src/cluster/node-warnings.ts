/** What is the matter with this node, by what it is about; every node tells the others, so that people see it at any. */
export class NodeWarnings {
  readonly #texts = new Map<string, string>();

  /** Undefined: it is over. */
  set(about: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(about);
    else this.#texts.set(about, text.slice(0, MAX_CHARACTERS));
  }

  list(): readonly string[] {
    return [...this.#texts.values()];
  }
}

/** It goes with every heartbeat. */
const MAX_CHARACTERS = 500;
