/** What is shown: the live world, or the past one has gone to. Everything on the page reads this one store. */
import type { Snapshot } from "@atrium/client";
import { createStore, type StoreApi } from "zustand/vanilla";
import { EMPTY_STATE, type OfficeState } from "../office/state/office-state.ts";
import { timeIn, type Past, type TimeTravel } from "./time-travel.ts";
import type { PastOffice } from "./world-http.ts";
import type { World, WorldView } from "./world.ts";

export interface ShownOffice {
  readonly snapshot: Snapshot | null;
  readonly office: OfficeState;
  readonly past: Past | null;
}

export type ShownStore = StoreApi<ShownOffice>;

export function createShownOffice(world: World, travel: TimeTravel): ShownStore {
  let then: { readonly look: PastOffice; readonly office: OfficeState } | undefined;
  /** Playing and pausing change nothing of what is known. */
  const officeThen = (look: PastOffice): OfficeState => {
    if (then?.look !== look) then = { look, office: pastOffice(look) };
    return then.office;
  };
  const look = (): ShownOffice => {
    const { past } = travel.store.getState();
    const view = world.store.getState();
    return past === null
      ? { snapshot: view.snapshot, office: liveOffice(view), past }
      : { snapshot: past.look, office: officeThen(past.look), past };
  };
  const store = createStore<ShownOffice>(look);
  travel.store.subscribe(() => store.setState(look(), true));
  world.store.subscribe(() => {
    if (store.getState().past === null) store.setState(look(), true);
  });
  return store;
}

/** The time that is shown, in the server's milliseconds. */
export function shownTime({ past }: ShownOffice, { clockLagMs }: WorldView, now: number): number {
  return past === null ? now - clockLagMs : timeIn(past, now);
}

function liveOffice({ snapshot, snapshotAt, goals, screens }: WorldView): OfficeState {
  if (snapshot === null) return EMPTY_STATE;
  const { agents, tasks, artifacts, decisions, office_decor } = snapshot;
  const known = { agents, tasks, artifacts, decisions, office_decor };
  return { snapshotAt, ...known, goals, walks: new Map(), streams: screens };
}

/** Where people were and went is told with the moment; what they wrote then is not kept word by word. */
function pastOffice({
  agents,
  tasks,
  artifacts,
  decisions,
  office_decor,
  at,
  walks,
}: PastOffice): OfficeState {
  const known = { agents, tasks, artifacts, decisions, office_decor };
  const byAgent = Map.groupBy(walks, ({ agent_id }) => agent_id);
  return { snapshotAt: at, ...known, goals: new Map(), walks: byAgent, streams: new Map() };
}
