/**
 * What is said aloud in the office: lines for everyone who is there, in one stream.
 *
 * Pure: no clock, no ids, no I/O. Lines stay in the log; nothing that was said decides what may be said.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept } from "../engine/refusal.ts";
import { OFFICE_CHAT_EVENTS } from "./chat-shapes.ts";

export interface Say {
  readonly type: "say";
  readonly messageId: string;
  readonly from: string;
  /** Whom it is meant for; everyone hears it all the same. */
  readonly to: string;
  readonly text: string;
}

export interface OfficeSaid extends Omit<Say, "type"> {
  readonly type: "office.said";
}

type OfficeChat = Readonly<Record<string, never>>;

/** The one chat there is. */
export const OFFICE_CHAT = "chat";

export const officeChat: Aggregate<OfficeChat, Say, OfficeSaid> = {
  name: "office",
  onlyId: OFFICE_CHAT,
  initial: {},
  decide: (_chat, { messageId, from, to, text }) =>
    accept([{ type: "office.said", messageId, from, to, text }]),
  evolve: (chat) => chat,
  ...createCodec<OfficeSaid>(OFFICE_CHAT_EVENTS),
};
