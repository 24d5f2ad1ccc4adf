import type { EventDeclarations } from "../engine/codec.ts";
import type { BuildEvent } from "./events.ts";

export const BUILD_EVENTS: EventDeclarations<BuildEvent> = {
  "build.started": {
    version: 1,
    shape: {
      id: "string",
      prompt: "string",
      agentId: "string",
      handle: "string",
      conversationKey: "string",
      sessionId: "string",
      steps: "array",
    },
  },
  "build.told": { version: 1, shape: { telling: "object", origin: "object?" } },
  "build.turn.wanted": { version: 1, shape: { turn: "object" } },
  "build.repaired": { version: 1, shape: { why: "string", text: "string", origin: "object?" } },
  "build.rejected": { version: 1, shape: { why: "string", text: "string", origin: "object?" } },
  "build.cancelled": { version: 1, shape: { by: "object" } },
};
