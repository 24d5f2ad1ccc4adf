/** What happens in builds, as it happens: encoded once, told to whoever follows that build, and to whoever follows all. */
import { build, idIn, type BatchListener } from "@atrium/core";
import { isLastBuildEvent, type BuildEvent } from "@atrium/wire/build";
import { storedEvent } from "../../../builds/read-builds.ts";

export interface EncodedFeedEvent {
  readonly seq: number;
  readonly text: string;
  readonly isLast: boolean;
}

export interface BuildFeed {
  readonly onBatch: BatchListener;
  listen(id: string, listener: (event: EncodedFeedEvent) => void): Disposable;
  onEvent(listener: (event: EncodedFeedEvent) => void): void;
}

export function encodeFeed(event: BuildEvent): EncodedFeedEvent {
  return { seq: event.seq, text: JSON.stringify(event), isLast: isLastBuildEvent(event) };
}

export function createBuildFeed(): BuildFeed {
  const byBuild = new Map<string, Set<(event: EncodedFeedEvent) => void>>();
  const all: ((event: EncodedFeedEvent) => void)[] = [];
  return {
    onBatch(entries) {
      for (const entry of entries) {
        const id = idIn(build, entry.stream);
        const event = id === undefined ? undefined : storedEvent(id, entry, build.read(entry));
        if (event === undefined) continue;
        const encoded = encodeFeed(event);
        for (const listener of byBuild.get(event.build_id) ?? []) listener(encoded);
        for (const listener of all) listener(encoded);
      }
    },
    listen(id, listener) {
      const listeners = byBuild.get(id) ?? new Set();
      byBuild.set(id, listeners.add(listener));
      return {
        [Symbol.dispose]() {
          listeners.delete(listener);
          if (listeners.size === 0) byBuild.delete(id);
        },
      };
    },
    onEvent: (listener) => void all.push(listener),
  };
}
