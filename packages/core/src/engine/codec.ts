/**
 * How an event rests in the log: its type beside its members. An aggregate whose events have changed
 * shape upcasts here, so that deciders and projections only ever see the present.
 */
import type { Entry } from "@atrium/log";

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type it wrote
export function readAs<Event extends { readonly type: string }>(entry: Entry): Event {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only dispatch writes, from the same type
  return { type: entry.type, ...(entry.data as object) } as Event;
}
