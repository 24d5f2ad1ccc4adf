/**
 * Pointing at things, for everyone who looks: what is pointed at goes out as a signal and comes back to all, also to
 * whoever pointed.
 */
import { Fault } from "@atrium/core";
import type { SignalEnvelope } from "@atrium/wire/signal";
import { createContext, use } from "react";
import { createStore, type StoreApi } from "zustand/vanilla";
import {
  openReconnectingStream,
  type StreamDeps,
} from "../../../app/server/reconnecting-stream.ts";
import type { SendSignal } from "../../../app/server/send-signal.ts";
import type { Bounds, Spot } from "../../../office/marks/floor-marks.ts";
import { readPing, withPing, type ReceivedPing } from "./pings.ts";

export interface PointingView {
  /** Whether a press in the office points. */
  readonly isOn: boolean;
  /** The zone that is being drawn. */
  readonly drawn: Bounds | undefined;
  readonly pings: readonly ReceivedPing[];
}

export interface PointingStore {
  readonly store: StoreApi<PointingView>;
  setOn(isOn: boolean): void;
  draw(bounds: Bounds | undefined): void;
  point(spot: Spot, meant: { readonly zone?: string; readonly target?: string }): void;
  /** `intent` is what is to be done with whoever is in it. */
  tellZone(bounds: Bounds, intent: ZoneIntent): void;
  /** Begins to hear of pings; returns how to stop. */
  listen(): () => void;
}

export type ZoneIntent = "look" | "assign" | "pause" | "resume";

/** Long enough to look there, short enough not to be in the way. */
const SHOWN_MS = 6_000;
const PATH = "/api/signals/stream?type=user.point";

export function createPointingStore(sendSignal: SendSignal, streams: StreamDeps): PointingStore {
  const store = createStore<PointingView>(() => ({ isOn: false, drawn: undefined, pings: [] }));
  const onMessage = (data: string): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from our own server, whose tests hold it to its schemas
    const ping = readPing(JSON.parse(data) as SignalEnvelope);
    // What is kept of pings tells of the same one again.
    if (ping === undefined || store.getState().pings.some(({ id }) => id === ping.id)) return;
    store.setState(({ pings }) => ({ pings: withPing(pings, ping) }));
    streams.later(
      () => store.setState(({ pings }) => ({ pings: pings.filter((each) => each.id !== ping.id) })),
      SHOWN_MS,
    );
  };
  return {
    store,
    setOn: (isOn) => store.setState({ isOn }),
    draw: (drawn) => store.setState({ drawn }),
    point({ x, z }, { zone, target }) {
      sendSignal({
        type: "user.point",
        payload: { position: { x, y: z }, ...(zone !== undefined && { zone }) },
        ...(target !== undefined && { metadata: { target } }),
      });
    },
    tellZone({ x, z, width, depth }, intent) {
      sendSignal({
        type: "user.zone",
        payload: { bounds: { x, y: z, w: width, h: depth }, intent },
      });
    },
    // Only what comes from now on: a ping of the past points at nothing.
    listen: () =>
      openReconnectingStream(() => PATH, streams, {
        onMessage,
        onConnection: () => undefined,
      }),
  };
}

export const PointingContext = createContext<PointingStore | null>(null);

export function usePointing(): PointingStore {
  const pointing = use(PointingContext);
  if (pointing === null) throw new Fault("nobody points outside the office");
  return pointing;
}
