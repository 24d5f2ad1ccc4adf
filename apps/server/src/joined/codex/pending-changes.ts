/** Changes of files that Codex is about to make: what it asks about one names it, and does not show it again. */
import { changesIn, type PatchedFile } from "../../agents/codex/turn/file-changes.ts";
import { textIn, type Fields } from "../../agents/turn/json-fields.ts";

/** More than Codex makes at the same time. */
const MAX_CHANGES = 32;

export class PendingChanges {
  readonly #changes = new Map<string, readonly PatchedFile[]>();

  of(itemId: string): readonly PatchedFile[] | undefined {
    return this.#changes.get(itemId);
  }

  add(item: Fields): void {
    const id = textIn(item, "id");
    if (item["type"] !== "fileChange" || id === undefined) return;
    const [oldest] = this.#changes.keys();
    if (this.#changes.size >= MAX_CHANGES && oldest !== undefined) this.#changes.delete(oldest);
    this.#changes.set(id, changesIn(item));
  }

  remove(item: Fields): void {
    this.#changes.delete(textIn(item, "id") ?? "");
  }

  clear(): void {
    this.#changes.clear();
  }
}
