import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { BuildEvent } from "./events.ts";

export const BUILD_EVENTS: EventDeclarations<BuildEvent> = {
  "build.started": v1({
    id: "string",
    prompt: "string",
    agentId: "string",
    handle: "string",
    conversationKey: "string",
    sessionId: "string",
    steps: "array",
  }),
  "build.told": v1({ telling: "object", origin: "object?" }),
  "build.turn.wanted": v1({ turn: "object" }),
  "build.held": v1({ event: "object", repairs: "array", text: "string", origin: "object" }),
  "build.repaired": v1({ why: "string", text: "string", origin: "object?" }),
  "build.rejected": v1({ why: "string", text: "string", origin: "object?" }),
  "build.cancelled": v1({ by: "object" }),
};
