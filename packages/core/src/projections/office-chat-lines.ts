/** The latest lines of the office's chat, oldest first. */
import { streamOf } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import { OFFICE_CHAT, officeChat } from "../office/chat.ts";

export interface OfficeChatLine {
  readonly messageId: string;
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export interface OfficeChatLines extends Projection<readonly OfficeChatLine[]> {
  list(): readonly OfficeChatLine[];
}

const STREAM = streamOf(officeChat, OFFICE_CHAT);
const MAX_LINES = 200;

export function createOfficeChatLines(): OfficeChatLines {
  let lines: OfficeChatLine[] = [];
  return {
    name: "office-lines",
    version: 1,
    list: () => lines,
    apply(entry) {
      if (entry.stream !== STREAM) return;
      const { messageId, from, to, text } = officeChat.read(entry);
      lines = [...lines.slice(1 - MAX_LINES), { messageId, at: entry.at, from, to, text }];
    },
    save: () => lines,
    load(saved) {
      lines = [...saved];
    },
  };
}
