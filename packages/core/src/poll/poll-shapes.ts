import type { EventDeclarations } from "../engine/codec.ts";
import type { PollEvent } from "./poll.ts";

export const POLL_EVENTS: EventDeclarations<PollEvent> = {
  "poll.opened": { version: 1, shape: { id: "string", subject: "object" } },
  "poll.voted": { version: 1, shape: { choices: "array", by: "object" } },
  "poll.closed": { version: 1, shape: { by: "object?" } },
};
