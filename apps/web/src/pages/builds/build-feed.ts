/** One build, followed: its events from the beginning, then as they come, to its end. */
import type { BuildEvent } from "@atrium/wire/build";
import { createStore, type StoreApi } from "zustand/vanilla";
import { openReconnectingStream, type StreamDeps } from "../../app/server/reconnecting-stream.ts";
import { applyEvent, EMPTY_STORY, type BuildStory } from "./build-story.ts";

export interface BuildFeedView {
  readonly story: BuildStory;
  /** False while the connection is being made again. */
  readonly isConnected: boolean;
}

export interface BuildFeed {
  readonly store: StoreApi<BuildFeedView>;
  close(): void;
}

export function followBuild(id: string, deps: StreamDeps): BuildFeed {
  const store = createStore<BuildFeedView>(() => ({ story: EMPTY_STORY, isConnected: true }));
  const path = `/api/builds/${encodeURIComponent(id)}/events`;
  const close = openReconnectingStream((after = "0") => `${path}?after=${after}`, deps, {
    onMessage(data) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, whose tests hold it to its schemas
      const event = JSON.parse(data) as BuildEvent;
      store.setState(({ story }) => ({ story: applyEvent(story, event), isConnected: true }));
      if (store.getState().story.end !== null) close();
    },
    onConnection: (isHeard) => store.setState({ isConnected: isHeard }),
    // It is told again from its beginning.
    onReset: () => store.setState({ story: EMPTY_STORY }),
  });
  return { store, close };
}
