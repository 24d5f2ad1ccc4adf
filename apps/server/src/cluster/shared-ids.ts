/** A set of ids that each node adds to, known on all of them. */
import type { OpenMirror } from "./relay.ts";

type IdChange = { readonly add: string } | { readonly remove: string };

export class SharedIds {
  readonly #own = new Set<string>();
  readonly #others = new Map<string, Set<string>>();
  readonly #mirror: { tell(change: IdChange): void } | undefined;

  constructor(name: string, mirror: OpenMirror) {
    this.#mirror = mirror<IdChange>({
      name,
      whole: () => Array.from(this.#own, (id) => ({ add: id })),
      apply: (change, node) => this.#apply(this.#of(node), change),
      replace: (changes, node) => {
        const ids = new Set<string>();
        for (const change of changes) this.#apply(ids, change);
        this.#others.set(node, ids);
      },
    });
  }

  add(id: string): void {
    if (this.#own.has(id)) return;
    this.#own.add(id);
    this.#mirror?.tell({ add: id });
  }

  remove(id: string): void {
    if (this.#own.delete(id)) this.#mirror?.tell({ remove: id });
  }

  has(id: string): boolean {
    return this.#own.has(id) || this.#others.values().some((ids) => ids.has(id));
  }

  isAnyBut(id: string): boolean {
    const size = this.#own.size + this.#others.values().reduce((sum, ids) => sum + ids.size, 0);
    return size > (this.has(id) ? 1 : 0);
  }

  #of(node: string): Set<string> {
    const ids = this.#others.get(node) ?? new Set();
    this.#others.set(node, ids);
    return ids;
  }

  #apply(ids: Set<string>, change: IdChange): void {
    if ("add" in change) ids.add(change.add);
    else ids.delete(change.remove);
  }
}
