/** What this browser remembers about how its person likes things. Nothing of it leaves the browser. */
import { createStore, type StoreApi } from "zustand/vanilla";

export const PREFERENCES = {
  theme: ["auto", "day", "night"],
  language: ["auto", "en", "de"],
  motion: ["auto", "reduced"],
  /** How the office is drawn. */
  picture: ["auto", "low", "medium", "high", "plan"],
  /** One-letter keys for the attention queue. */
  shortcuts: ["on", "off"],
  /** The three-step invitation. */
  invitation: ["shown", "dismissed"],
} as const;

export type Preferences = {
  readonly [Name in keyof typeof PREFERENCES]: (typeof PREFERENCES)[Name][number];
};
export type PreferencesStore = StoreApi<Preferences>;

const KEY = "atrium.preferences";
export const DEFAULT_PREFERENCES: Preferences = {
  theme: "auto",
  language: "auto",
  motion: "auto",
  picture: "auto",
  shortcuts: "on",
  invitation: "shown",
};

type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

export function createPreferences(storage: Storage): PreferencesStore {
  const store = createStore<Preferences>(() => readPreferences(storage.getItem(KEY)));
  store.subscribe((preferences) => storage.setItem(KEY, JSON.stringify(preferences)));
  return store;
}

/** Whatever was kept, by whichever version: what is not understood is as if it were not there. */
export function readPreferences(text: string | null): Preferences {
  const kept = parse(text);
  const entries = Object.entries(PREFERENCES).flatMap(([name, choices]) => {
    const choice = (choices as readonly string[]).find((each) => each === kept[name]);
    return choice === undefined ? [] : [[name, choice]];
  });
  return { ...DEFAULT_PREFERENCES, ...(Object.fromEntries(entries) as Partial<Preferences>) };
}

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
