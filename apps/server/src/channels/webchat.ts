/** The channel people use here: a message becomes part of a conversation's transcript. */
import {
  accept,
  conversation,
  resolveKey,
  type CrewMember,
  type Dispatch,
  type Ids,
} from "@atrium/core";
import { DEFAULT_CHANNEL, type Channel } from "./channel.ts";

export interface WebchatDeps {
  readonly dispatch: Dispatch;
  readonly ids: Ids;
  readonly crew: readonly CrewMember[];
}

export function createWebchat({ dispatch, ids, crew }: WebchatDeps): Channel {
  return {
    id: DEFAULT_CHANNEL,
    label: "Web chat",
    async deliver({ to, text, agent, key }) {
      const address = resolveKey(crew, to, agent);
      if (!address.ok) return address;
      const { text: id } = address.value;
      const message = { messageId: ids.next(), sessionId: ids.next(), text, label: null };
      const inject = { type: "inject", key: address.value, ...message } as const;
      const done = await dispatch(conversation, id, inject, key);
      if (!done.ok) return done;
      const injected = done.value.events.find((event) => event.type === "message.injected");
      return accept({ messageId: injected?.messageId ?? "", to: id, conversationId: id });
    },
  };
}
