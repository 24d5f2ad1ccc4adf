/**
 * One office as it can be asked about at any time: who is where, who sits where, who still walks, what is on the shelf.
 *
 * A fold of the office's stream with the aggregate's own `evolve`; positions are computed when asked for and never kept.
 */
import { streamOf } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import type { Floor } from "../office/floor.ts";
import type { PoiKind } from "../office/geometry/scene.ts";
import {
  isUnderWay,
  startWalk,
  whereaboutsAt,
  type Walk,
  type Whereabouts,
} from "../office/motion.ts";
import type { Decor, Goal, Office, OfficeAgent } from "../office/office-events.ts";
import { createOffice } from "../office/office.ts";
import { poseOf, type Pose, type Work } from "../office/poses.ts";

export interface AgentPosition extends Whereabouts {
  readonly agentId: string;
}

export interface OfficeView extends Projection<SavedOffice | null> {
  readonly isOpen: boolean;
  agents(): readonly OfficeAgent[];
  agent(agentId: string): OfficeAgent | undefined;
  positionsAt(time: number): readonly AgentPosition[];
  playerAt(time: number): Whereabouts | undefined;
  /** Undefined when that agent is not there. */
  poseAt(agentId: string, time: number, work: Work): Pose | undefined;
  /** Agents by the seat they have, whether they are on their way there or there. */
  seating(): ReadonlyMap<string, string>;
  decor(): readonly Decor[];
  isAnythingMoving(time: number): boolean;
  /** When the next of those who walk, agents or player, gets there; undefined when nobody does. */
  nextArrivalAfter(time: number): number | undefined;
}

type SavedWalk = Pick<Walk, "path" | "speedMps" | "at" | "facing">;

interface SavedOffice {
  readonly sceneId: string;
  readonly agents: readonly (Omit<OfficeAgent, "walk"> & { readonly walk: SavedWalk })[];
  readonly player: SavedWalk;
  readonly decor: readonly Decor[];
}

export function createOfficeView(floor: Floor): OfficeView {
  const office = createOffice([floor]);
  const stream = streamOf(office, floor.scene.scene_id);
  let state: Office = office.initial;

  const agents = (): readonly OfficeAgent[] =>
    state.state === "open" ? [...state.agents.values()] : [];
  const agent = (agentId: string): OfficeAgent | undefined =>
    state.state === "open" ? state.agents.get(agentId) : undefined;
  const walks = (): readonly Walk[] =>
    state.state === "open" ? [state.player, ...agents().map(({ walk }) => walk)] : [];

  return {
    name: `office-view:${floor.scene.scene_id}`,
    version: 1,
    get isOpen() {
      return state.state === "open";
    },
    agents,
    agent,
    positionsAt: (time) =>
      agents().map(({ agentId, walk }) => ({ agentId, ...whereaboutsAt(walk, time) })),
    playerAt: (time) => (state.state === "open" ? whereaboutsAt(state.player, time) : undefined),
    poseAt(agentId, time, work) {
      const found = agent(agentId);
      if (found === undefined) return undefined;
      const { hasArrived } = whereaboutsAt(found.walk, time);
      const goalKind = found.goal?.kind ?? null;
      return poseOf({ goalKind, poiKind: poiKindOf(floor, found), hasArrived, work });
    },
    seating: () =>
      new Map(
        agents().flatMap(({ agentId, seatId }) => (seatId === null ? [] : [[seatId, agentId]])),
      ),
    decor: () => (state.state === "open" ? state.decor : []),
    isAnythingMoving: (time) => walks().some((walk) => isUnderWay(walk, time)),
    nextArrivalAfter(time) {
      const arrivals = walks()
        .map(({ arrivesAt }) => arrivesAt)
        .filter((at) => at > time);
      return arrivals.length === 0 ? undefined : Math.min(...arrivals);
    },
    apply(entry) {
      if (entry.stream === stream) state = office.evolve(state, office.read(entry));
    },
    save: () => save(state),
    load(saved) {
      state = load(saved);
    },
  };
}

/** Of the place it was sent to; whoever waits is still where its seat is. */
function poiKindOf(floor: Floor, { goal, seatId }: OfficeAgent): PoiKind | null {
  const poiId = poiIdOf(goal);
  if (poiId !== undefined) return floor.poi(poiId)?.kind ?? null;
  return (seatId === null ? undefined : floor.poiOfSeat(seatId)?.kind) ?? null;
}

function poiIdOf(goal: Goal | null): string | undefined {
  return goal !== null && "poiId" in goal ? goal.poiId : undefined;
}

function save(office: Office): SavedOffice | null {
  if (office.state === "absent") return null;
  const { sceneId, agents, player, decor } = office;
  return {
    sceneId,
    agents: [...agents.values()].map((agent) => ({ ...agent, walk: withoutSums(agent.walk) })),
    player: withoutSums(player),
    decor,
  };
}

function load(saved: SavedOffice | null): Office {
  if (saved === null) return { state: "absent" };
  const { sceneId, player, decor } = saved;
  const agents = new Map(
    saved.agents.map((agent): [string, OfficeAgent] => [
      agent.agentId,
      { ...agent, walk: startWalk(agent.walk) },
    ]),
  );
  return { state: "open", sceneId, agents, player: startWalk(player), decor };
}

/** What `startWalk` works out again. */
function withoutSums({ path, speedMps, at, facing }: Walk): SavedWalk {
  return { path, speedMps, at, facing };
}
