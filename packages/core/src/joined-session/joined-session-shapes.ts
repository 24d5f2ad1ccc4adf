import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { JoinedSessionEvent } from "./joined-session.ts";

export const JOINED_SESSION_EVENTS: EventDeclarations<JoinedSessionEvent> = {
  "joined-session.joined": v1({ details: "object" }),
  "joined-session.described": v1({ details: "object" }),
  "joined-session.activity_changed": v1({ activity: "string" }),
  "joined-session.message_left": v1({ messageId: "string", text: "string", by: "object" }),
  "joined-session.message_offered": v1({ messageId: "string", process: "string" }),
  "joined-session.message_turned_away": v1({ messageId: "string", why: "string" }),
  "joined-session.message_delivered": v1({ messageId: "string", moment: "string" }),
  "joined-session.left": v1({ why: "string" }),
};
