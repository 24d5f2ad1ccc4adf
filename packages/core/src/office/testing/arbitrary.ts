/** Points and commands of the cozy office, any of them. */
import * as fc from "fast-check";
import type { Point } from "../geometry/scene.ts";
import type { OfficeCommand, GoalRequest } from "../office-events.ts";
import { cozyFloor, OPENED_AT } from "./office-under-test.ts";

const { scene, centers, isOpen } = cozyFloor;
const seats = scene.pois.flatMap((poi) => poi.seats);
const poiIds = scene.pois.map((poi) => poi.poi_id);
const openCenters = centers.filter((_, cell) => isOpen[cell] === 1);

/** In a millimeter, anywhere in a cell but on its border. */
const offset = fc.integer({ min: -124, max: 124 }).map((mm) => mm / 1000);

export const openPoint: fc.Arbitrary<Point> = fc
  .tuple(fc.constantFrom(...openCenters), offset, offset)
  .map(([[x, , z], dx, dz]): Point => [
    Math.round((x + dx) * 1000) / 1000,
    0,
    Math.round((z + dz) * 1000) / 1000,
  ]);

export const seat = fc.constantFrom(...seats);

/** Somewhere one can be: on the floor or in a seat. */
export const anyPlace: fc.Arbitrary<Point> = fc.oneof(
  openPoint,
  seat.map(({ pos }) => pos),
);

export const AGENT_IDS = Array.from({ length: 12 }, (_, at) => `agent_a${at}`);
const agentId = fc.constantFrom(...AGENT_IDS);
const poiId = fc.constantFrom(...poiIds);

const goal: fc.Arbitrary<GoalRequest> = fc.oneof(
  poiId.map((id) => ({ kind: "go_to_poi", poiId: id }) as const),
  fc.constant({ kind: "go_to_player" } as const),
  fc.constant({ kind: "wait" } as const),
  fc.constant({ kind: "deliver_artifact", artifactId: "art_a" } as const),
  fc
    .constantFrom("dec_a", "dec_b")
    .map((id) => ({ kind: "seek_decision", decisionId: id }) as const),
);

/** Each some time after the one before; now and then the clock is set back. */
const pause = fc.oneof(fc.integer({ min: 0, max: 6_000 }), fc.constant(-500));

const joining = fc
  .tuple(agentId, fc.option(poiId))
  .map(([id, homePoiId]): OfficeCommand => ({ type: "join", agentId: id, homePoiId, at: 0 }));
const leaving = agentId.map((id): OfficeCommand => ({ type: "leave", agentId: id }));
const sending = fc.tuple(agentId, goal).map(([id, wanted]): OfficeCommand => ({
  type: "set-goal",
  agentId: id,
  goal: wanted,
  at: 0,
  because: "evt_x",
}));
const moving = fc
  .oneof(
    openPoint.map((pos) => ({ pos })),
    poiId.map((id) => ({ poiId: id })),
  )
  .map((to): OfficeCommand => ({ type: "move-player", to, at: 0 }));
const unlocking = fc
  .constantFrom("proj_a", "proj_b")
  .map((projectId): OfficeCommand => ({ type: "unlock-decor", decorId: "trophy_cup", projectId }));

const command = fc.oneof(
  { weight: 3, arbitrary: joining },
  { weight: 1, arbitrary: leaving },
  { weight: 8, arbitrary: sending },
  { weight: 2, arbitrary: moving },
  { weight: 1, arbitrary: unlocking },
);

/** What is asked of an office, one thing after the other; no refusal is meant but of who is not there. */
export const story: fc.Arbitrary<readonly OfficeCommand[]> = fc
  .array(fc.tuple(command, pause), { minLength: 1, maxLength: 40, size: "max" })
  .map((steps) => {
    let at = OPENED_AT;
    return steps.map(([asked, after]) => {
      at += after;
      return "at" in asked ? { ...asked, at } : asked;
    });
  });
