/** Cells by cost, cheapest first; of two that cost the same, the one with the lower number. A binary heap. */
export class CellQueue {
  readonly #cells: number[] = [];
  readonly #costs: number[] = [];

  push(cell: number, cost: number): void {
    let at = this.#cells.length;
    this.#put(at, cell, cost);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    const top = this.#cells[0];
    const cell = this.#cells.pop();
    const cost = this.#costs.pop();
    if (cell === undefined || cost === undefined || this.#cells.length === 0) return top;
    this.#put(0, cell, cost);
    this.#sink();
    return top;
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= this.#cells.length) return;
      const child = right < this.#cells.length && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const difference = (this.#costs[one] ?? 0) - (this.#costs[other] ?? 0);
    return difference < 0 || (difference === 0 && this.#cellAt(one) < this.#cellAt(other));
  }

  #swap(one: number, other: number): void {
    const cell = this.#cellAt(one);
    const cost = this.#costs[one] ?? 0;
    this.#put(one, this.#cellAt(other), this.#costs[other] ?? 0);
    this.#put(other, cell, cost);
  }

  #put(at: number, cell: number, cost: number): void {
    this.#cells[at] = cell;
    this.#costs[at] = cost;
  }

  #cellAt(at: number): number {
    return this.#cells[at] ?? 0;
  }
}
