/** What a person has had in front of them, whole, since the page was opened: only that is decided by a key or in the list. */
import { createContext, use, useCallback } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Need } from "./needs.ts";

/** With what the server gave for reading it, where it gave anything. */
export type ReadReceipts = ReadonlyMap<string, string | undefined>;
export type SeenStore = StoreApi<ReadReceipts>;

export function createSeen(): SeenStore {
  return createStore<ReadReceipts>(() => new Map());
}

export const SeenContext = createContext<SeenStore>(createSeen());

export function useSeen(): ReadReceipts {
  return useStore(use(SeenContext));
}

/** Returns how to say that something was seen. */
export function useSee(): (what: string, receipt?: string) => void {
  const store = use(SeenContext);
  return useCallback(
    (what, receipt) => {
      if (store.getState().has(what)) return;
      store.setState((seen) => new Map(seen).set(what, receipt), true);
    },
    [store],
  );
}

export function permissionSeen(decisionId: string): string {
  return `permission:${decisionId}`;
}

/** Of a result, one version: another has not been seen. */
export function versionSeen(artifactId: string, version: number): string {
  return `result:${artifactId}@${version}`;
}

/** What must have been seen before this is answered; undefined where the list shows all of it. */
export function mustBeSeen({ kind, decisionId, artifactId, version }: Need): string | undefined {
  if (kind === "permission" && decisionId !== undefined) return permissionSeen(decisionId);
  if (kind === "review" && artifactId !== undefined && version !== undefined) {
    return versionSeen(artifactId, version);
  }
  return undefined;
}
