import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { OfficeEvent } from "./office-events.ts";

const walk = { path: "array", facing: "array", speedMps: "number", at: "number" } as const;

export const OFFICE_EVENTS: EventDeclarations<OfficeEvent> = {
  "office.created": v1({
    sceneId: "string",
    playerPos: "array",
    playerFacing: "array",
    at: "number",
  }),
  "agent.joined": v1({
    agentId: "string",
    homePoiId: "string?",
    seatId: "string?",
    pos: "array",
    facing: "array",
    at: "number",
  }),
  "agent.left": v1({ agentId: "string" }),
  "agent.goal_set": v1({
    ...walk,
    agentId: "string",
    goal: "object",
    seatId: "string?",
    arrivalRadius: "number",
    because: "string",
  }),
  "player.goal_set": v1(walk),
  "decor.unlocked": v1({ decorId: "string", anchorId: "string", projectId: "string" }),
};
