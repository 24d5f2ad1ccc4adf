/** From what an agent is to do to the way it takes: which place, which path, or why not. */
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { Floor } from "./floor.ts";
import { distance } from "./geometry/point.ts";
import type { Point } from "./geometry/scene.ts";
import { ARRIVAL_RADIUS, WALKING_SPEED_MPS, whereaboutsAt } from "./motion.ts";
import type {
  AgentGoalSet,
  Goal,
  OfficeAgent,
  OpenOffice,
  SetGoal,
  GoalRequest,
} from "./office-events.ts";
import { findPath } from "./paths.ts";
import { takePlaceAt, takePlaceNear, type Place, type TakenSpots } from "./seats.ts";

/** How close agents come to the player, and within how much they are still with them. */
const TALKING_DISTANCE = 0.75;
const EARSHOT = 2;

/** No event when the agent has that goal already. */
export function planGoal(
  floor: Floor,
  office: OpenOffice,
  command: SetGoal,
): Outcome<readonly AgentGoalSet[]> {
  const agent = office.agents.get(command.agentId);
  if (agent === undefined) return refuse("agent.unknown", command.agentId);
  const goal = completeGoal(floor, command.goal);
  const playerPos = command.playerPos ?? endOf(office.player.path);
  if (isAtIt(agent, goal, playerPos)) return accept([]);
  // A clock that was set back does not undo what the agent has begun.
  const at = Math.max(command.at, agent.walk.at);
  const { agentId, because, speedMps = WALKING_SPEED_MPS } = command;
  const set = (seatId: string | null, path: readonly Point[], facing: Point): AgentGoalSet => ({
    type: "agent.goal_set",
    agentId,
    goal,
    seatId,
    path,
    facing,
    speedMps,
    arrivalRadius: ARRIVAL_RADIUS,
    at,
    because,
  });
  const here = whereaboutsAt(agent.walk, at);
  if (goal.kind === "wait") {
    return accept([set(here.hasArrived ? agent.seatId : null, [here.pos], here.facing)]);
  }
  const place = choosePlace(floor, goal, {
    agent,
    from: here.pos,
    playerPos,
    taken: takenByOthers(office, agentId),
  });
  if (!place.ok) return place;
  const path = findPath(floor, here.pos, place.value.footing);
  if (path === undefined) return refuse("place.unreachable", `from ${String(here.pos)}`);
  return accept([set(place.value.seatId, path, place.value.facing)]);
}

/** Where everyone but one has a place, and the player. */
export function takenByOthers(office: OpenOffice, agentId: string | null): TakenSpots {
  const spots = agentId === null ? [] : [endOf(office.player.path)];
  for (const other of office.agents.values()) {
    if (other.agentId !== agentId) spots.push(endOf(other.walk.path));
  }
  return spots;
}

export function endOf(path: readonly Point[]): Point {
  return path.at(-1) ?? [0, 0, 0];
}

function completeGoal(floor: Floor, goal: GoalRequest): Goal {
  if (goal.kind !== "deliver_artifact" || goal.poiId !== undefined) return goal;
  return { ...goal, poiId: floor.firstOf("delivery_shelf")?.poi_id ?? "" };
}

function isAtIt({ goal, walk }: OfficeAgent, wanted: Goal, playerPos: Point): boolean {
  if (goal === null) return false;
  switch (wanted.kind) {
    case "wait":
      return goal.kind === "wait";
    case "go_to_poi":
      return goal.kind === "go_to_poi" && goal.poiId === wanted.poiId;
    case "deliver_artifact":
      return (
        goal.kind === "deliver_artifact" &&
        goal.artifactId === wanted.artifactId &&
        goal.poiId === wanted.poiId
      );
    case "go_to_player":
      return goal.kind === "go_to_player" && distance(endOf(walk.path), playerPos) <= EARSHOT;
    case "seek_decision":
      return (
        goal.kind === "seek_decision" &&
        goal.decisionId === wanted.decisionId &&
        distance(endOf(walk.path), playerPos) <= EARSHOT
      );
  }
}

interface Setting {
  readonly agent: OfficeAgent;
  readonly from: Point;
  readonly playerPos: Point;
  readonly taken: TakenSpots;
}

function choosePlace(
  floor: Floor,
  goal: Exclude<Goal, { kind: "wait" }>,
  { agent, from, playerPos, taken }: Setting,
): Outcome<Place> {
  let place: Place | undefined;
  switch (goal.kind) {
    case "go_to_player":
    case "seek_decision": {
      const surroundings = { around: playerPos, keepOff: TALKING_DISTANCE };
      place = takePlaceNear(floor, surroundings, from, taken);
      break;
    }
    case "go_to_poi":
    case "deliver_artifact": {
      const poi = floor.poi(goal.poiId);
      if (poi === undefined) return refuse("poi.unknown", goal.poiId);
      place = takePlaceAt(floor, poi, { from, isAtHome: agent.homePoiId === goal.poiId }, taken);
      break;
    }
  }
  return place === undefined ? refuse("place.full") : accept(place);
}
