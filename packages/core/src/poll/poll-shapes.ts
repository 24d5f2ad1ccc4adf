import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { PollEvent } from "./poll.ts";

export const POLL_EVENTS: EventDeclarations<PollEvent> = {
  "poll.opened": v1({ id: "string", subject: "object" }),
  "poll.voted": v1({ choices: "array", by: "object" }),
  "poll.closed": v1({ by: "object?" }),
};
