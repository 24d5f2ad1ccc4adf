/** What the log holds of builds: those the projection has forgotten, what was told, what was set aside. */
import {
  build,
  foldBuild,
  streamOf,
  type BuildEvent,
  type BuildRow,
  type Builds,
} from "@atrium/core";
import type { Entry, Log } from "@atrium/log";
import type { BuildEvent as WireEvent } from "@atrium/wire/build";
import { encodeFeedEvent } from "./encode-feed-event.ts";

export interface ReadBuilds {
  find(id: string): Promise<BuildRow | undefined>;
  /** What people were told after that seq. */
  eventsAfter(id: string, after: number): AsyncIterable<WireEvent>;
  /** Lines that were repaired or rejected, oldest first. */
  oddities(id: string): Promise<readonly BuildDiagnostic[]>;
  /** All of it, or until that seq. */
  history(id: string, until?: number): AsyncIterable<BuildEvent>;
}

export interface BuildDiagnostic {
  readonly seq: number;
  readonly at: number;
  readonly event: Extract<BuildEvent, { type: "build.repaired" | "build.rejected" }>;
}

/** Undefined for what people are not told. */
export function storedEvent(
  id: string,
  { seq, at }: Entry,
  event: BuildEvent,
): WireEvent | undefined {
  if (event.type !== "build.told") return undefined;
  return { id: `${id}:${seq}`, seq, ts: at, build_id: id, ...encodeFeedEvent(event.telling, id) };
}

export function createReadBuilds(log: Pick<Log, "read">, builds: Pick<Builds, "get">): ReadBuilds {
  const entries = (id: string, after = 0): AsyncIterable<Entry> =>
    log.read({ stream: streamOf(build, id), after });

  async function remember(id: string): Promise<BuildRow | undefined> {
    let row: BuildRow | undefined;
    for await (const entry of entries(id)) row = foldBuild(row, build.read(entry), entry);
    return row;
  }

  return {
    find: async (id) => builds.get(id) ?? (await remember(id)),
    async *eventsAfter(id, after) {
      for await (const entry of entries(id, after)) {
        const event = storedEvent(id, entry, build.read(entry));
        if (event !== undefined) yield event;
      }
    },
    async oddities(id) {
      const found: BuildDiagnostic[] = [];
      for await (const { seq, at, ...entry } of entries(id)) {
        const event = build.read({ seq, at, ...entry });
        if (event.type === "build.repaired" || event.type === "build.rejected") {
          found.push({ seq, at, event });
        }
      }
      return found;
    },
    async *history(id, until = Infinity) {
      for await (const entry of entries(id)) {
        if (entry.seq > until) return;
        yield build.read(entry);
      }
    },
  };
}
