/** What people do on the page, for whoever listens to signals. Passing by nature: nobody waits for it. */
import type { AskServer } from "./ask-server.ts";

export type UserSignal =
  | { readonly type: "user.click"; readonly payload: { readonly target: string } }
  | {
      readonly type: "user.move";
      readonly payload: { readonly entityId: string; readonly toSlot: string };
    };

export type TellSignal = (signal: UserSignal) => void;

const SOURCE = "atrium:web";

export function createTellSignal(
  ask: AskServer,
  now: () => number,
  newId: () => string,
): TellSignal {
  return (signal) =>
    void ask("POST", "/api/signal", { id: newId(), timestamp: now(), source: SOURCE, ...signal });
}

/** In this page. */
export function browserTellSignal(ask: AskServer): TellSignal {
  return createTellSignal(
    ask,
    () => Date.now(),
    () => `web-${Math.random().toString(36).slice(2)}-${Date.now().toString(36)}`,
  );
}
