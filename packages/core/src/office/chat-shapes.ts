import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { OfficeSaid } from "./chat.ts";

export const OFFICE_CHAT_EVENTS: EventDeclarations<OfficeSaid> = {
  "office.said": v1({ messageId: "string", from: "string", to: "string", text: "string" }),
};
