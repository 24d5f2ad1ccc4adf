/** Signals as they come, gathered for a moment; while it is paused they wait and are counted. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { createStore, type StoreApi } from "zustand/vanilla";
import { openLastingStream, type StreamDeps } from "../../shell/lasting-stream.ts";
import { addSignals, MOST_ROWS, NO_ROWS, type Heard, type SignalRows } from "./signal-rows.ts";

export interface FeedView extends SignalRows {
  readonly isPaused: boolean;
  /** How many came while it was paused. */
  readonly waiting: number;
  readonly isHeard: boolean;
}

export interface SignalFeed {
  readonly store: StoreApi<FeedView>;
  setPaused(isPaused: boolean): void;
  close(): void;
}

const GATHER_MS = 120;

export function openSignalFeed(
  pathAfter: (position: string | undefined) => string,
  deps: StreamDeps,
): SignalFeed {
  const store = createStore<FeedView>(() => ({
    ...NO_ROWS,
    isPaused: false,
    waiting: 0,
    isHeard: false,
  }));
  let heard: Heard[] = [];
  let isGathering = false;
  const show = (): void => {
    isGathering = false;
    if (store.getState().isPaused) {
      // As many as are shown at most: the rest would be dropped at once.
      heard = heard.slice(-MOST_ROWS);
      store.setState({ waiting: heard.length });
      return;
    }
    const come = heard;
    heard = [];
    store.setState((view) => ({ ...addSignals(view, come), waiting: 0 }));
  };
  const close = openLastingStream(pathAfter, deps, {
    message(data, position) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, whose tests hold it to its schemas
      heard.push({ signal: JSON.parse(data) as SignalEnvelope, position });
      if (isGathering) return;
      isGathering = true;
      deps.later(show, GATHER_MS);
    },
    heard: (isHeard) => store.setState({ isHeard }),
  });
  return {
    store,
    setPaused(isPaused) {
      store.setState({ isPaused });
      show();
    },
    close,
  };
}
