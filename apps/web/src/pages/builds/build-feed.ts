import type { BuildEvent } from "@atrium/wire/build";
/**
 * One build, followed: its events from the beginning, then as they come. The browser's own EventSource comes back
 * with the last id it has seen and stops when the server says that there is no more.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { tell, UNTOLD, type BuildStory } from "./build-story.ts";

export interface Following {
  readonly story: BuildStory;
  /** False while the connection is being made again. */
  readonly isHeard: boolean;
}

export interface BuildFeed {
  readonly store: StoreApi<Following>;
  close(): void;
}

export function followBuild(id: string, open: (path: string) => EventSource): BuildFeed {
  const store = createStore<Following>(() => ({ story: UNTOLD, isHeard: true }));
  const source = open(`/api/builds/${encodeURIComponent(id)}/events?after=0`);
  source.addEventListener("message", ({ data }: MessageEvent<string>) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, whose tests hold it to its schemas
    const event = JSON.parse(data) as BuildEvent;
    store.setState(({ story }) => ({ story: tell(story, event), isHeard: true }));
    if (store.getState().story.end !== null) source.close();
  });
  source.addEventListener("open", () => store.setState({ isHeard: true }));
  source.addEventListener("error", () =>
    store.setState(({ story }) => ({ isHeard: story.end !== null })),
  );
  return { store, close: () => source.close() };
}
