/** What people do on the page, for whoever listens to signals. Passing by nature: nobody waits for it. */
import type { SignalPayloadMap } from "@atrium/wire/signal";
import type { FetchJson } from "./fetch-json.ts";

type UserSignalType = "user.click" | "user.move" | "user.zone" | "user.point";

export type UserSignal = {
  [Name in UserSignalType]: {
    readonly type: Name;
    readonly payload: SignalPayloadMap[Name];
    readonly metadata?: Readonly<Record<string, string>>;
  };
}[UserSignalType];

export type SendSignal = (signal: UserSignal) => void;

export interface SendSignalDeps {
  readonly ask: FetchJson;
  readonly now: () => number;
  readonly newId: () => string;
  /** What the person is called; empty when they have not said. */
  readonly name: () => string;
}

export const WEB_SOURCE = "atrium:web";

export function createSendSignal({ ask, now, newId, name }: SendSignalDeps): SendSignal {
  return ({ type, payload, metadata }) => {
    const by = name();
    const about = { ...metadata, ...(by !== "" && { by }) };
    void ask("POST", "/api/signal", {
      id: newId(),
      timestamp: now(),
      source: WEB_SOURCE,
      type,
      payload,
      ...(Object.keys(about).length > 0 && { metadata: about }),
    });
  };
}

/** In this page. */
export function browserSendSignal(ask: FetchJson, name: () => string): SendSignal {
  return createSendSignal({
    ask,
    name,
    now: () => Date.now(),
    newId: () => `web-${Math.random().toString(36).slice(2)}-${Date.now().toString(36)}`,
  });
}
