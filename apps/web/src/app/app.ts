/** What every page is given: the stores, and how to act. One per page load; React only reads it. */
import { Fault } from "@atrium/core";
import { createContext, use, useMemo, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import { textsOf, type Texts } from "../i18n/texts.ts";
import type { ShownOffice, ShownStore } from "../world/shown-office.ts";
import type { TimeTravel } from "../world/time-travel.ts";
import type { WorldHttp } from "../world/world-http.ts";
import type { World, WorldView } from "../world/world.ts";
import { resolveAppearance, type Appearance } from "./appearance.ts";
import type { Navigation } from "./navigation.ts";
import type { Notices } from "./notices.ts";
import type { PersonStore } from "./person.ts";
import type { Preferences, PreferencesStore } from "./preferences.ts";
import type { Route } from "./route.ts";
import type { SendSignal } from "./server/send-signal.ts";

export interface App {
  readonly world: World;
  readonly http: WorldHttp;
  readonly travel: TimeTravel;
  readonly shown: ShownStore;
  readonly navigation: Navigation;
  readonly preferences: PreferencesStore;
  readonly notices: Notices;
  readonly person: PersonStore;
  readonly sendSignal: SendSignal;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Fault("no app around this component");
  return app;
}

export function useRoute(): Route {
  return useStore(useApp().navigation.store);
}

export function useWorld<Part>(read: (view: WorldView) => Part): Part {
  return useStore(useApp().world.store, read);
}

/** The office as it is shown: now, or at the moment of the past one has gone to. */
export function useOffice<Part>(read: (shown: ShownOffice) => Part): Part {
  return useStore(useApp().shown, read);
}

/** Nothing new can be asked for without a connection, nor of a server that can only be read, nor in the past. */
export function useCanAct(): boolean {
  const isConnected = useWorld(
    ({ status, snapshot }) => status.state === "connected" && snapshot?.reading_only === undefined,
  );
  const isPast = useOffice(({ past }) => past !== null);
  return isConnected && !isPast;
}

export function usePreferences(): Preferences {
  return useStore(useApp().preferences);
}

export function useAppearance(): Appearance {
  return useAppearanceFrom(useApp().preferences);
}

export function useAppearanceFrom(store: PreferencesStore): Appearance {
  const preferences = useStore(store);
  const prefersDark = useMedia("(prefers-color-scheme: dark)");
  const prefersReducedMotion = useMedia("(prefers-reduced-motion: reduce)");
  return useMemo(
    () =>
      resolveAppearance(preferences, {
        prefersDark,
        prefersReducedMotion,
        languages: navigator.languages,
      }),
    [preferences, prefersDark, prefersReducedMotion],
  );
}

export function useTexts(): Texts {
  return textsOf(useAppearance().language);
}

export function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query]);
  return useSyncExternalStore(
    (changed) => {
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => media.matches,
  );
}
