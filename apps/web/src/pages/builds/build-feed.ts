/** One build, followed: its events from the beginning, then as they come, to its end. */
import type { BuildEvent } from "@atrium/wire/build";
import { createStore, type StoreApi } from "zustand/vanilla";
import { openReconnectingStream, type StreamDeps } from "../../app/server/reconnecting-stream.ts";
import { tell, UNTOLD, type BuildStory } from "./build-story.ts";

export interface FollowedBuild {
  readonly story: BuildStory;
  /** False while the connection is being made again. */
  readonly isHeard: boolean;
}

export interface BuildFeed {
  readonly store: StoreApi<FollowedBuild>;
  close(): void;
}

export function followBuild(id: string, deps: StreamDeps): BuildFeed {
  const store = createStore<FollowedBuild>(() => ({ story: UNTOLD, isHeard: true }));
  const path = `/api/builds/${encodeURIComponent(id)}/events`;
  const close = openReconnectingStream((after = "0") => `${path}?after=${after}`, deps, {
    message(data) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, whose tests hold it to its schemas
      const event = JSON.parse(data) as BuildEvent;
      store.setState(({ story }) => ({ story: tell(story, event), isHeard: true }));
      if (store.getState().story.end !== null) close();
    },
    heard: (isHeard) => store.setState({ isHeard }),
    // It is told again from its beginning.
    reset: () => store.setState({ story: UNTOLD }),
  });
  return { store, close };
}
