/** What this browser remembers about how its person likes things. Nothing of it leaves the browser. */
import { createStore, type StoreApi } from "zustand/vanilla";

/** What can be chosen; the first of each is how it is for whoever has not chosen. */
export const PREFERENCES = {
  theme: ["auto", "day", "night"],
  language: ["auto", "en", "de"],
  motion: ["auto", "reduced"],
  /** A soft chime when something begins to need the person. */
  sound: ["off", "on"],
  /** How the office is drawn. */
  picture: ["auto", "low", "medium", "high", "plan"],
  /** One-letter keys for the attention queue. */
  shortcuts: ["on", "off"],
  /** The three-step invitation. */
  invitation: ["shown", "dismissed"],
} as const;

type Choices = typeof PREFERENCES;
export type Preferences = { readonly [Name in keyof Choices]: Choices[Name][number] };
export type PreferencesStore = StoreApi<Preferences>;

const KEY = "atrium.preferences";
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as (keyof Preferences)[];
export const DEFAULT_PREFERENCES = readPreferences(null);

type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

export function createPreferences(storage: Storage): PreferencesStore {
  const store = createStore<Preferences>(() => readPreferences(storage.getItem(KEY)));
  store.subscribe((preferences) => storage.setItem(KEY, JSON.stringify(preferences)));
  return store;
}

/** Whatever was kept, by whichever version: what is not understood is as if it were not there. */
export function readPreferences(text: string | null): Preferences {
  const kept = parse(text);
  const choose = (name: keyof Preferences): string => {
    const choices: readonly string[] = PREFERENCES[name];
    return choices.find((each) => each === kept[name]) ?? PREFERENCES[name][0];
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is one of its choices
  return Object.fromEntries(PREFERENCE_NAMES.map((name) => [name, choose(name)])) as Preferences;
}

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
