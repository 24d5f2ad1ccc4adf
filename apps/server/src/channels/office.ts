/** The office as a channel: what is sent there is said aloud, and everyone hears it. */
import { accept, OFFICE_CHAT, officeChat, type Dispatch, type Ids } from "@atrium/core";
import type { Channel } from "./channel.ts";

export interface OfficeDeps {
  readonly dispatch: Dispatch;
  readonly ids: Ids;
}

export function createOffice({ dispatch, ids }: OfficeDeps): Channel {
  return {
    id: "office",
    label: "Office",
    async deliver({ to, text, from, key }) {
      const messageId = ids.next();
      const say = { type: "say", messageId, from, to, text } as const;
      const done = await dispatch(officeChat, OFFICE_CHAT, say, key);
      if (!done.ok) return done;
      const sentId = done.value.events[0]?.messageId ?? messageId;
      return accept({ messageId: sentId, to, channelId: OFFICE_CHAT });
    },
  };
}
