/** Signals as they come, gathered for a moment; while it is paused they wait and are counted. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { createStore, type StoreApi } from "zustand/vanilla";
import { openReconnectingStream, type StreamDeps } from "../../app/server/reconnecting-stream.ts";
import {
  addSignals,
  MAX_ROWS,
  NO_ROWS,
  prependSignals,
  type PositionedSignal,
  type SignalRows,
} from "./signal-rows.ts";

export interface FeedView extends SignalRows {
  readonly isPaused: boolean;
  /** How many came while it was paused. */
  readonly waiting: number;
  readonly isConnected: boolean;
  /** Where what is older ends; undefined: there is nothing older. */
  readonly earlier: string | undefined;
  /** How many rows are held; reading back makes it more. */
  readonly most: number;
}

export interface SignalFeed {
  readonly store: StoreApi<FeedView>;
  setPaused(isPaused: boolean): void;
  /** A page of what is older; false when it could not be had. */
  readEarlier(): Promise<boolean>;
  close(): void;
}

const GATHER_MS = 120;

export interface SignalPage {
  readonly signals: readonly { readonly position: string; readonly signal: SignalEnvelope }[];
  readonly next?: string;
}

export interface SignalFeedDeps extends StreamDeps {
  /** Null: it could not be had. */
  readonly readEarlier: (before: string) => Promise<SignalPage | null>;
}

/** `earlier` is where what is older than the stream's beginning ends. */
export function openSignalFeed(
  pathAfter: (position: string | undefined) => string,
  earlier: string | undefined,
  deps: SignalFeedDeps,
): SignalFeed {
  const store = createStore<FeedView>(() => ({
    ...NO_ROWS,
    isPaused: false,
    waiting: 0,
    isConnected: false,
    earlier,
    most: MAX_ROWS,
  }));
  let waiting: PositionedSignal[] = [];
  let isGathering = false;
  const show = (): void => {
    isGathering = false;
    if (store.getState().isPaused) {
      // As many as are shown at most: the rest would be dropped at once.
      waiting = waiting.slice(-MAX_ROWS);
      store.setState({ waiting: waiting.length });
      return;
    }
    const come = waiting;
    waiting = [];
    store.setState((view) => {
      const { rows, nextKey } = addSignals(view, come, view.most);
      const first = rows[0]?.key;
      // What was let go is older now, and can be had again.
      const isCut = view.rows.length > 0 && view.rows[0]?.key !== first;
      const cut = isCut ? rows.find(({ position }) => position !== undefined)?.position : undefined;
      return { rows, nextKey, waiting: 0, earlier: cut ?? view.earlier };
    });
  };
  let isReading = false;
  const readEarlier = async (): Promise<boolean> => {
    const { earlier: before } = store.getState();
    if (isReading || before === undefined) return true;
    isReading = true;
    const page = await deps.readEarlier(before);
    isReading = false;
    if (page === null) return false;
    store.setState((view) => {
      // Rows were let go meanwhile: the page would leave a gap.
      if (view.earlier !== before) return {};
      return {
        ...prependSignals(view, page.signals),
        earlier: page.next,
        most: view.most + page.signals.length,
      };
    });
    return true;
  };
  const close = openReconnectingStream(pathAfter, deps, {
    onMessage(data, position) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, whose tests hold it to its schemas
      waiting.push({ signal: JSON.parse(data) as SignalEnvelope, position });
      if (isGathering) return;
      isGathering = true;
      deps.later(show, GATHER_MS);
    },
    onConnection: (isHeard) => store.setState({ isConnected: isHeard }),
  });
  return {
    store,
    setPaused(isPaused) {
      store.setState({ isPaused });
      show();
    },
    readEarlier,
    close,
  };
}
