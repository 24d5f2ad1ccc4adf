/**
 * The live world in a store outside React: what the client hears, gathered for a moment and then told at once, so that
 * a busy office costs a page as little as a quiet one.
 */
import {
  WorldRefused,
  type Snapshot,
  type WorldAck,
  type WorldClient,
  type WorldStatus,
} from "@atrium/client";
import type { WorldCommandData, WorldCommandName, WorldErrorCode } from "@atrium/wire/world";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { AgentGoal, ScreenText } from "../office/state/office-state.ts";
import type { Draft } from "./drafts.ts";
import { mergeBySeq, type CallMoment, type Line, type Moment } from "./moments.ts";
import type { Terminal } from "./terminals.ts";
import { createAgentOutputRecorder } from "./world-listener.ts";

export interface WorldView {
  readonly status: WorldStatus;
  readonly snapshot: Snapshot | null;
  /** When the snapshot was taken, by the server's clock. */
  readonly snapshotAt: number;
  /** How much the server's clock is behind ours. */
  readonly clockLagMs: number;
  readonly goals: ReadonlyMap<string, AgentGoal>;
  /** What each agent has on its monitor. */
  readonly screens: ReadonlyMap<string, ScreenText>;
  /** What commands print, by `callKey`. */
  readonly terminals: ReadonlyMap<string, Terminal>;
  /** What is written for each task. */
  readonly drafts: ReadonlyMap<string, Draft>;
  /** What happened, oldest first, as far back as was asked for. */
  readonly timeline: readonly Moment[];
  readonly talk: readonly Line[];
  /** Tools used for tasks, as far as they were heard of. */
  readonly calls: readonly CallMoment[];
  readonly hasEarlier: boolean;
}

/** A command with what it needs. */
export type SentCommand = {
  [Name in WorldCommandName]: { readonly name: Name; readonly data: WorldCommandData<Name> };
}[WorldCommandName];

export interface RefusedAct {
  readonly code: WorldErrorCode | "STALE";
  /** The server's own name for why; an older one tells none. */
  readonly reason: string | undefined;
}

export interface World {
  readonly store: StoreApi<WorldView>;
  connect(): void;
  /** Resolves with why not, or undefined when the server has taken it; `onTaken` gets what it says to that. */
  act(command: SentCommand, onTaken?: (ack: WorldAck) => void): Promise<RefusedAct | undefined>;
  /** More of what happened before what is known. */
  loadEarlier(): Promise<void>;
}

export interface WorldDeps {
  readonly client: WorldClient;
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
  /** A page of the timeline that ends before this seq; null when it cannot be had. */
  readonly readBefore: (seq: number) => Promise<EarlierPage | null>;
}

export interface EarlierPage {
  readonly moments: readonly Moment[];
  readonly lines: readonly Line[];
  readonly hasMore: boolean;
}

export const EMPTY_VIEW: WorldView = {
  status: { state: "idle" },
  snapshot: null,
  snapshotAt: 0,
  clockLagMs: 0,
  goals: new Map(),
  screens: new Map(),
  terminals: new Map(),
  drafts: new Map(),
  timeline: [],
  talk: [],
  calls: [],
  hasEarlier: true,
};

export function createWorld(deps: WorldDeps): World {
  const { client } = deps;
  const store = createStore<WorldView>(() => EMPTY_VIEW);
  createAgentOutputRecorder(deps, store);
  let isLoading = false;

  const loadEarlier = async (): Promise<void> => {
    const { timeline, talk, hasEarlier } = store.getState();
    const { snapshot } = client;
    if (isLoading || snapshot === null || !hasEarlier) return;
    isLoading = true;
    const known = [timeline[0]?.seq, talk[0]?.seq].filter((seq) => seq !== undefined);
    const page = await deps.readBefore(Math.min(snapshot.seq + 1, ...known));
    isLoading = false;
    if (page === null) return;
    store.setState((view) => ({
      timeline: mergeBySeq(page.moments, view.timeline),
      talk: mergeBySeq(page.lines, view.talk),
      hasEarlier: page.hasMore,
    }));
  };
  client.onStatus((status) => {
    const isFirst = status.state === "connected" && store.getState().timeline.length === 0;
    store.setState({ status });
    // The first page is there before anyone scrolls.
    if (isFirst) deps.later(() => void loadEarlier(), 0);
  });
  client.onGap(() =>
    store.setState({ timeline: [], talk: [], calls: [], hasEarlier: true, goals: new Map() }),
  );

  return {
    store,
    connect() {
      // How it goes is told as a status, to everyone.
      client.connect().catch(() => undefined);
    },
    async act({ name, data }, onTaken) {
      try {
        const ack = await client.command(name, data);
        onTaken?.(ack);
        return undefined;
      } catch (error) {
        if (error instanceof WorldRefused) return { code: error.code, reason: error.reason };
        return { code: "STALE", reason: undefined };
      }
    },
    loadEarlier,
  };
}
