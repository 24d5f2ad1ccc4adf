/** Sending people of the crew about the office. Where they are follows from that and the time. */
import {
  whereaboutsAt,
  type Aggregate,
  type Clock,
  type Dispatch,
  type Office,
  type OfficeCommand,
  type OfficeEvent,
  type OfficeView,
  type Outcome,
  type Point,
  type GoalRequest,
} from "@atrium/core";
import { freeDesk, MEETING_TABLE } from "./places.ts";

export interface AgentWalks {
  /** Sends someone somewhere; where that cannot be, they stay. The key makes it happen once. */
  send(agentId: string, goal: GoalRequest, because: string, key: string): Promise<Outcome<unknown>>;
  arrivalOf(agentId: string): number;
  /** On the way to the shelf with something. */
  isDelivering(agentId: string): boolean;
  /** At the shelf, with nothing else to do since. */
  hasDelivered(agentId: string): boolean;
  /** When the last of them who goes there gets to that place; undefined when nobody does. */
  gatheringAt(poiId: string, agentIds: readonly string[]): number | undefined;
  isHere(agentId: string): boolean;
  /** Those who have no home here, the one who came first first. */
  visitors(): readonly string[];
  welcome(agentId: string): Promise<Outcome<unknown>>;
  /** Comes in by the door, to work at a desk that is nobody's; where there is none left, in the lounge. */
  receive(agentId: string): Promise<Outcome<unknown>>;
  /** Where someone who is here is at home. */
  homeOf(agentId: string): string | undefined;
  leave(agentId: string): Promise<Outcome<unknown>>;
  unlock(decorId: string, projectId: string, key: string): Promise<Outcome<unknown>>;
}

export interface OfficeLogDeps {
  readonly office: Aggregate<Office, OfficeCommand, OfficeEvent>;
  readonly sceneId: string;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
}

export interface AgentWalksDeps extends OfficeLogDeps {
  readonly view: OfficeView;
  /** In meters a second; it may change. */
  readonly speedMps: () => number;
  /** Where the viewer nearest to that place stands, if anyone looks. */
  readonly viewerNear: (place: Point) => Point | undefined;
}

/** Whoever is called to a meeting does not stroll: others wait for them. */
const HURRY = 2;

function isMeeting(goal: GoalRequest): boolean {
  return goal.kind === "go_to_poi" && goal.poiId === MEETING_TABLE;
}

export function createAgentWalks(deps: AgentWalksDeps): AgentWalks {
  const { office, view, sceneId, clock } = deps;
  const dispatchToOffice = (command: OfficeCommand, key: string): Promise<Outcome<unknown>> =>
    deps.dispatch(office, sceneId, command, { id: key, digest: command.type });
  const isCarrier = (agentId: string): boolean =>
    view.agent(agentId)?.goal?.kind === "deliver_artifact";
  const hasArrived = (agentId: string): boolean =>
    (view.agent(agentId)?.walk.arrivesAt ?? 0) <= clock.now();
  return {
    send(agentId, goal, because, key) {
      const at = clock.now();
      const agent = view.agent(agentId);
      const playerPos = agent && deps.viewerNear(whereaboutsAt(agent.walk, at).pos);
      const seen = playerPos === undefined ? {} : { playerPos };
      const speedMps = deps.speedMps() * (isMeeting(goal) ? HURRY : 1);
      return dispatchToOffice(
        { type: "set-goal", agentId, goal, at, because, speedMps, ...seen },
        key,
      );
    },
    arrivalOf: (agentId) => view.agent(agentId)?.walk.arrivesAt ?? clock.now(),
    isDelivering: (agentId) => isCarrier(agentId) && !hasArrived(agentId),
    hasDelivered: (agentId) => isCarrier(agentId) && hasArrived(agentId),
    gatheringAt(poiId, agentIds) {
      const arrivals = agentIds.flatMap((agentId) => {
        const agent = view.agent(agentId);
        const isGoing = agent?.goal?.kind === "go_to_poi" && agent.goal.poiId === poiId;
        return isGoing ? [agent.walk.arrivesAt] : [];
      });
      return arrivals.length === 0 ? undefined : Math.max(...arrivals);
    },
    isHere: (agentId) => view.agent(agentId) !== undefined,
    visitors: () =>
      view.agents().flatMap(({ agentId, homePoiId }) => (homePoiId === null ? [agentId] : [])),
    welcome(agentId) {
      const at = clock.now();
      return deps.dispatch(office, sceneId, { type: "join", agentId, homePoiId: null, at });
    },
    receive(agentId) {
      const homePoiId = freeDesk(view.agents().map((each) => each.homePoiId));
      const at = clock.now();
      const command = { type: "join", agentId, homePoiId, at, isArriving: true } as const;
      return deps.dispatch(office, sceneId, command);
    },
    homeOf: (agentId) => view.agent(agentId)?.homePoiId ?? undefined,
    leave: (agentId) => deps.dispatch(office, sceneId, { type: "leave", agentId }),
    unlock: (decorId, projectId, key) =>
      dispatchToOffice({ type: "unlock-decor", decorId, projectId }, key),
  };
}
