/** All conversations, newest first, in a store: read again, a moment later, when anything is told of one. */
import type { GatewayClient } from "@atrium/client";
import type { SessionRow } from "@atrium/wire/gateway";
import { createStore, type StoreApi } from "zustand/vanilla";

export interface Conversations {
  readonly store: StoreApi<{ readonly rows: readonly SessionRow[] | undefined }>;
  close(): void;
}

const GATHER_MS = 250;
const MAX_CONVERSATIONS = 200;

export function openConversations(
  line: Pick<GatewayClient, "call" | "onEvent" | "onState" | "onGap" | "subscribeSessions">,
  later: (run: () => void, delayMs: number) => void,
): Conversations {
  const store = createStore<{ readonly rows: readonly SessionRow[] | undefined }>(() => ({
    rows: undefined,
  }));
  let isWaiting = false;
  const read = async (): Promise<void> => {
    isWaiting = false;
    try {
      const how = {
        limit: MAX_CONVERSATIONS,
        includeDerivedTitles: true,
        includeLastMessage: true,
      };
      const { sessions } = await line.call("sessions.list", how);
      store.setState({ rows: sessions });
    } catch {
      // Not connected; it is read again on return.
    }
  };
  const readSoon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    later(() => void read(), GATHER_MS);
  };
  const closers = [
    line.onEvent("sessions.changed", readSoon),
    line.onEvent("session.message", readSoon),
    line.onGap(readSoon),
    line.onState(({ state }) => void (state === "ready" && readSoon())),
  ];
  // It is asked for again by the client itself after every return.
  line.subscribeSessions().catch(() => undefined);
  void read();
  return { store, close: () => closers.forEach((close) => close()) };
}

/** One that a project opened, to have something planned or made. */
export function isProjectWork({ key }: Pick<SessionRow, "key">): boolean {
  return /:(?:project|task):[a-z0-9_]+$/.test(key);
}

export function titleOf({ label, derivedTitle, displayName, key }: SessionRow): string {
  return label ?? derivedTitle ?? displayName ?? key;
}
