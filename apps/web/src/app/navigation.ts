/** The browser's address and history as a store. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { readRoute, type Route } from "./route.ts";

export interface Navigation {
  readonly store: StoreApi<Route>;
  go(path: string): void;
  /** Without a step to go back to. */
  replace(path: string): void;
}

export function createNavigation(window: Window): Navigation {
  const store = createStore<Route>(() => readRoute(window.location));
  const arrive = (): void => store.setState(readRoute(window.location), true);
  window.addEventListener("popstate", arrive);
  return {
    store,
    go(path) {
      if (path === window.location.pathname + window.location.search) return;
      window.history.pushState(null, "", path);
      arrive();
    },
    replace(path) {
      window.history.replaceState(null, "", path);
      arrive();
    },
  };
}
