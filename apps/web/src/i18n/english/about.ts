/** What a sentence about an event may speak of: names as people know them. */
import type { WorldEventName } from "@atrium/wire/world";

export interface EventSubject {
  readonly agent: string | undefined;
  readonly task: string | undefined;
  readonly project: string | undefined;
  /** The person who did it. */
  readonly who: string | undefined;
  readonly detail: string | undefined;
  /** What was asked of people. */
  readonly asked: string | undefined;
}

export type EventSentences = { readonly [Name in WorldEventName]: (about: EventSubject) => string };
