/** What is wrong, one sentence each: the first of them; a file with a million wrong entries says so in one more. */
const MAX_PROBLEMS = 50;

export class Problems {
  readonly #found: string[] = [];
  #more = 0;

  add(problem: string): void {
    if (this.#found.length < MAX_PROBLEMS) this.#found.push(problem);
    else this.#more++;
  }

  get list(): readonly string[] {
    return this.#more === 0 ? this.#found : [...this.#found, `and ${this.#more} more`];
  }
}
