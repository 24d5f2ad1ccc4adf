/** What is marked on the floor right now, with names as they are read. */
import { cozyOffice } from "@atrium/core";
import { useMemo } from "react";
import { useStore } from "zustand";
import { useApp, useRoute, useOffice, useTexts } from "../../../app/app.ts";
import type { FloorMarks, FloorPing, Spot } from "../../../office/marks/floor-marks.ts";
import { figuresAt } from "../../../office/people/figures.ts";
import { shownTime } from "../../../world/shown-office.ts";
import { useReceivers } from "../assigning/receivers.ts";
import { readView } from "../view/view.ts";
import { placesOf, type Place } from "./places.ts";
import { usePointing } from "./pointing-store.ts";
import { readZone } from "./zone.ts";

export interface NamedPing extends FloorPing {
  /** The agent or place that is meant. */
  readonly place: string | undefined;
}

export function usePlaces(): readonly Place[] {
  const { places } = useTexts();
  return useMemo(() => placesOf(cozyOffice, places), [places]);
}

export function useNamedPings(): readonly NamedPing[] {
  const words = useTexts();
  const pings = useStore(usePointing().store, (view) => view.pings);
  const places = usePlaces();
  const agents = useOffice(({ snapshot }) => snapshot?.agents);
  return useMemo(
    () =>
      pings.map(({ id, spot, by, about }) => ({
        id,
        spot,
        name: by ?? words.personHere,
        place:
          agents?.find(({ agent_id }) => agent_id === about)?.name ??
          places.find(({ poiId }) => poiId === about)?.name,
      })),
    [pings, places, agents, words],
  );
}

/** Where someone is right now. */
export function useSpotOfAgent(): (agentId: string | undefined) => Spot | undefined {
  const { shown, world } = useApp();
  return (agentId) => {
    const time = shownTime(shown.getState(), world.store.getState(), Date.now());
    const figure = figuresAt(cozyOffice, shown.getState().office, time).find(
      ({ agent }) => agent.agent_id === agentId,
    );
    if (figure === undefined) return undefined;
    const [x, , z] = figure.whereabouts.pos;
    return { x, z };
  };
}

export function useMarks(): FloorMarks {
  const pings = useNamedPings();
  const drawn = useStore(usePointing().store, (view) => view.drawn);
  const { show } = useRoute();
  const { agentId } = useStore(useReceivers().store);
  const spotOf = useSpotOfAgent();
  return useMemo(() => {
    const view = readView(show);
    const zone = drawn ?? (view?.kind === "zone" ? readZone(view.id) : undefined);
    return { pings, zone, receiver: spotOf(agentId) };
  }, [pings, drawn, show, agentId]);
}
