/**
 * Office: who is there, where each was sent and how they get there, and what stands on the shelf.
 *
 * Pure: no clock, no ids, no I/O. Paths are found when a goal is set and are part of what happened, so a fold needs no
 * floor and an old log keeps its walks when the furniture is moved.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { Floor, Footing } from "./floor.ts";
import { directionOf, isSamePoint } from "./geometry/point.ts";
import type { Point } from "./geometry/scene.ts";
import { endOf, planGoal, takenByOthers } from "./goals.ts";
import { startWalk, WALKING_SPEED_MPS, whereaboutsAt, type Walk } from "./motion.ts";
import type {
  MovePlayer,
  Office,
  OfficeAgent,
  OfficeCommand,
  OfficeEvent,
  OpenOffice,
} from "./office-events.ts";
import { OFFICE_EVENTS } from "./office-shapes.ts";
import { findPath } from "./paths.ts";
import { takePlaceAt, takePlaceNear } from "./seats.ts";

type Decided = Outcome<readonly OfficeEvent[]>;
type CommandOf<Type extends OfficeCommand["type"]> = Extract<OfficeCommand, { type: Type }>;

/** How offices are kept, whatever their floors. */
export const storedOffice = { name: "office", ...createCodec<OfficeEvent>(OFFICE_EVENTS) };

/** Its streams are named after the scene: `office/cozy_office_v0`. */
export function createOffice(
  floors: readonly Floor[],
): Aggregate<Office, OfficeCommand, OfficeEvent> {
  const floorsById = new Map(floors.map((floor) => [floor.scene.scene_id, floor]));
  return {
    ...storedOffice,
    initial: { state: "absent" },
    decide(office, command) {
      if (office.state === "absent") {
        if (command.type !== "create") return refuse("office.missing");
        const floor = floorsById.get(command.sceneId);
        return floor === undefined
          ? refuse("scene.unknown", command.sceneId)
          : create(floor, command.at);
      }
      const floor = floorsById.get(office.sceneId);
      if (floor === undefined) return refuse("scene.unknown", office.sceneId);
      return decide(floor, office, command);
    },
    evolve: evolveOffice,
  };
}

function create({ scene }: Floor, at: number): Decided {
  const start = scene.spawns.find(({ kind }) => kind === "player");
  const playerPos = start?.pos ?? [0, 0, 0];
  const playerFacing = start?.facing ?? [0, 0, 1];
  return accept([{ type: "office.created", sceneId: scene.scene_id, playerPos, playerFacing, at }]);
}

function decide(floor: Floor, office: OpenOffice, command: OfficeCommand): Decided {
  switch (command.type) {
    case "create":
      return accept([]);
    case "join":
      return join(floor, office, command);
    case "leave": {
      const { agentId } = command;
      return accept(office.agents.has(agentId) ? [{ type: "agent.left", agentId }] : []);
    }
    case "set-goal":
      return planGoal(floor, office, command);
    case "move-player":
      return movePlayer(floor, office, command);
    case "unlock-decor":
      return unlockDecor(floor, office, command);
  }
}

function join(floor: Floor, office: OpenOffice, command: CommandOf<"join">): Decided {
  const { agentId, homePoiId, at, isArriving = false } = command;
  if (office.agents.has(agentId)) return accept([]);
  const home = homePoiId === null ? undefined : floor.poi(homePoiId);
  if (homePoiId !== null && home === undefined) return refuse("poi.unknown", homePoiId);
  const poi = isArriving ? floor.firstOf("entrance") : (home ?? floor.firstOf("entrance"));
  if (poi === undefined) return refuse("poi.unknown", "entrance");
  const guest = { from: poi.pos, isAtHome: poi === home };
  const place = takePlaceAt(floor, poi, guest, takenByOthers(office, agentId));
  if (place === undefined) return refuse("place.full");
  const { seatId, footing, facing } = place;
  return accept([
    { type: "agent.joined", agentId, homePoiId, seatId, pos: footing.pos, facing, at },
  ]);
}

function movePlayer(floor: Floor, office: OpenOffice, command: MovePlayer): Decided {
  const at = Math.max(command.at, office.player.at);
  const from = whereaboutsAt(office.player, at).pos;
  const target = findPlayerTarget(floor, office, from, command.to);
  if (!target.ok) return target;
  const end = endOf(office.player.path);
  const path = findPath(floor, from, target.value);
  if (path === undefined) return refuse("place.unreachable", `from ${String(from)}`);
  if (isSamePoint(endOf(path), end)) return accept([]);
  const facing = directionOf(path.at(-2) ?? from, endOf(path)) ?? office.player.facing;
  return accept([{ type: "player.goal_set", path, facing, speedMps: WALKING_SPEED_MPS, at }]);
}

/** Players stand; they never take a seat from an agent. */
function findPlayerTarget(
  floor: Floor,
  office: OpenOffice,
  from: Point,
  to: MovePlayer["to"],
): Outcome<Footing> {
  if ("pos" in to) {
    const footing = floor.footing(to.pos);
    return footing?.isOpen === true ? accept(footing) : refuse("place.unreachable", String(to.pos));
  }
  const poi = floor.poi(to.poiId);
  if (poi === undefined) return refuse("poi.unknown", to.poiId);
  const surroundings = { around: poi.pos, keepOff: 0 };
  const place = takePlaceNear(floor, surroundings, from, takenByOthers(office, null));
  return place === undefined ? refuse("place.full") : accept(place.footing);
}

function unlockDecor(
  { scene }: Floor,
  { decor }: OpenOffice,
  { decorId, projectId }: CommandOf<"unlock-decor">,
): Decided {
  if (decor.some((item) => item.projectId === projectId)) return accept([]);
  const used = new Set(decor.map(({ anchorId }) => anchorId));
  const anchor = scene.decor_anchors.find(({ anchor_id }) => !used.has(anchor_id));
  if (anchor === undefined) return refuse("decor.full");
  return accept([{ type: "decor.unlocked", decorId, anchorId: anchor.anchor_id, projectId }]);
}

function evolveOffice(office: Office, event: OfficeEvent): Office {
  if (event.type === "office.created") {
    const { sceneId, playerPos, playerFacing, at } = event;
    const player = stayAt(playerPos, playerFacing, at);
    return { state: "open", sceneId, agents: new Map(), player, decor: [] };
  }
  if (office.state === "absent") return office;
  switch (event.type) {
    case "agent.joined": {
      const { agentId, homePoiId, seatId, pos, facing, at } = event;
      const walk = stayAt(pos, facing, at);
      return withAgent(office, { agentId, homePoiId, goal: null, seatId, because: null, walk });
    }
    case "agent.left": {
      const agents = new Map(office.agents);
      agents.delete(event.agentId);
      return { ...office, agents };
    }
    case "agent.goal_set": {
      const agent = office.agents.get(event.agentId);
      if (agent === undefined) return office;
      const { goal, seatId, because } = event;
      return withAgent(office, { ...agent, goal, seatId, because, walk: startWalk(event) });
    }
    case "player.goal_set":
      return { ...office, player: startWalk(event) };
    case "decor.unlocked": {
      const { decorId, anchorId, projectId } = event;
      return { ...office, decor: [...office.decor, { decorId, anchorId, projectId }] };
    }
  }
}

function withAgent(office: OpenOffice, agent: OfficeAgent): OpenOffice {
  return { ...office, agents: new Map(office.agents).set(agent.agentId, agent) };
}

function stayAt(pos: Point, facing: Point, at: number): Walk {
  return startWalk({ path: [pos], facing, speedMps: WALKING_SPEED_MPS, at });
}
