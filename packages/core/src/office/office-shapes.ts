import type { EventDeclarations } from "../engine/codec.ts";
import type { OfficeEvent } from "./office-events.ts";

const walk = { path: "array", facing: "array", speedMps: "number", at: "number" } as const;

export const OFFICE_EVENTS: EventDeclarations<OfficeEvent> = {
  "office.created": {
    version: 1,
    shape: { sceneId: "string", playerPos: "array", playerFacing: "array", at: "number" },
  },
  "agent.joined": {
    version: 1,
    shape: {
      agentId: "string",
      homePoiId: "string?",
      seatId: "string?",
      pos: "array",
      facing: "array",
      at: "number",
    },
  },
  "agent.left": { version: 1, shape: { agentId: "string" } },
  "agent.goal_set": {
    version: 1,
    shape: {
      ...walk,
      agentId: "string",
      goal: "object",
      seatId: "string?",
      arrivalRadius: "number",
      because: "string",
    },
  },
  "player.goal_set": { version: 1, shape: walk },
  "decor.unlocked": {
    version: 1,
    shape: { decorId: "string", anchorId: "string", projectId: "string" },
  },
};
