/**
 * What whoever sits here wants to be called: kept in this browser, sent along with what they do, and shown to others.
 * Anyone may call themselves anything, so it is good for nothing but showing.
 */
import { createStore, type StoreApi } from "zustand/vanilla";

export interface Person {
  /** Empty: not said. */
  readonly name: string;
}

export type PersonStore = StoreApi<Person>;

export const MAX_NAME_CHARS = 40;
const KEY = "atrium.name";
/** Control characters, line ends and marks that turn the reading direction round. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu;

export function createPerson(
  storage: Pick<globalThis.Storage, "getItem" | "setItem">,
): PersonStore {
  const store = createStore<Person>(() => ({ name: plainName(storage.getItem(KEY) ?? "") }));
  store.subscribe(({ name }) => storage.setItem(KEY, name));
  return store;
}

/** One line of plain text, cut where it gets long. */
export function plainName(text: string): string {
  const line = text.toWellFormed().replaceAll(UNSEEN, " ").replaceAll(/\s+/g, " ").trim();
  // Half a pair is no character.
  return line
    .slice(0, MAX_NAME_CHARS)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trim();
}
