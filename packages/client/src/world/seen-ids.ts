/** The ids of the newest messages, to recognize repeated ones. */
const MAX_SEEN = 4_096;

export class SeenIds {
  readonly #ids = new Set<string>();

  /** Whether it is seen for the first time. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_SEEN && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }

  clear(): void {
    this.#ids.clear();
  }
}
