/** Items one after the other, of which the next can be looked at before it is taken. */
export class Peekable<Item> {
  readonly #items: Iterator<Item>;
  next: Item | undefined;

  constructor(items: Iterable<Item>) {
    this.#items = items[Symbol.iterator]();
    this.next = this.#pull();
  }

  skip(): void {
    this.next = this.#pull();
  }

  #pull(): Item | undefined {
    const result = this.#items.next();
    return result.done === true ? undefined : result.value;
  }
}
