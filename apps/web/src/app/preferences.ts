/** What this browser remembers about how its person likes things. Nothing of it leaves the browser. */
import { createStore, type StoreApi } from "zustand/vanilla";

export interface Preferences {
  readonly theme: "auto" | "day" | "night";
  readonly language: "auto" | "en" | "de";
  readonly motion: "auto" | "reduced";
  /** A soft chime when something begins to need the person. */
  readonly sound: "off" | "on";
  /** How the office is drawn. */
  readonly picture: "auto" | "low" | "medium" | "high" | "plan";
  /** One-letter keys for the attention queue. */
  readonly shortcuts: "on" | "off";
  /** The three-step invitation. */
  readonly invitation: "shown" | "dismissed";
}

type Choices = { readonly [Name in keyof Preferences]: readonly Preferences[Name][] };

export const PREFERENCES: Choices = {
  theme: ["auto", "day", "night"],
  language: ["auto", "en", "de"],
  motion: ["auto", "reduced"],
  sound: ["off", "on"],
  picture: ["auto", "low", "medium", "high", "plan"],
  shortcuts: ["on", "off"],
  invitation: ["shown", "dismissed"],
};

export type PreferencesStore = StoreApi<Preferences>;

const KEY = "atrium.preferences";
export const DEFAULT_PREFERENCES: Preferences = {
  theme: "auto",
  language: "auto",
  motion: "auto",
  sound: "off",
  picture: "auto",
  shortcuts: "on",
  invitation: "shown",
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as (keyof Preferences)[];

type Storage = Pick<globalThis.Storage, "getItem" | "setItem">;

export function createPreferences(storage: Storage): PreferencesStore {
  const store = createStore<Preferences>(() => readPreferences(storage.getItem(KEY)));
  store.subscribe((preferences) => storage.setItem(KEY, JSON.stringify(preferences)));
  return store;
}

/** Whatever was kept, by whichever version: what is not understood is as if it were not there. */
export function readPreferences(text: string | null): Preferences {
  const kept = parse(text);
  const pick = <Name extends keyof Preferences>(name: Name): Preferences[Name] => {
    const choices: Choices[Name] = PREFERENCES[name];
    return choices.find((each) => each === kept[name]) ?? DEFAULT_PREFERENCES[name];
  };
  return {
    theme: pick("theme"),
    language: pick("language"),
    motion: pick("motion"),
    sound: pick("sound"),
    picture: pick("picture"),
    shortcuts: pick("shortcuts"),
    invitation: pick("invitation"),
  };
}

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
