import type { EventDeclarations } from "../engine/codec.ts";
import type { OfficeSaid } from "./chat.ts";

export const OFFICE_CHAT_EVENTS: EventDeclarations<OfficeSaid> = {
  "office.said": {
    version: 1,
    shape: { messageId: "string", from: "string", to: "string", text: "string" },
  },
};
