/**
 * Where a message can be delivered: a conversation, the office, a device that offers it.
 *
 * A channel is registered while it works and taken out when it does not; whoever sends asks the
 * registry at that moment, so a device that has gone is an unknown channel, not a failure.
 */
import { refuse, type Outcome } from "@atrium/core";
import type { Key } from "@atrium/log";

export interface OutgoingMessage {
  /** Where in the channel; what it means is the channel's business. */
  readonly to: string;
  readonly text: string;
  readonly from: string;
  /** The agent's handle, when the address needs one. */
  readonly agent: string | undefined;
  /** Under which the delivery happens once. */
  readonly key: Key | undefined;
}

export interface Delivery {
  readonly messageId: string;
  readonly to: string;
  /** The conversation it became part of, for channels that have them. */
  readonly conversationId?: string;
  readonly channelId?: string;
}

export interface Channel {
  readonly id: string;
  readonly label: string;
  deliver(message: OutgoingMessage): Promise<Outcome<Delivery>>;
}

export interface Channels {
  register(channel: Channel): () => void;
  list(): readonly Channel[];
  /** By its id; without one, the channel that people use here anyway. */
  find(id: string | undefined): Outcome<Channel>;
  /** When it last delivered something, since the server was opened. */
  lastDelivery(id: string): number | null;
}

export const DEFAULT_CHANNEL = "webchat";

export function createChannels(now: () => number): Channels {
  const channels = new Map<string, Channel>();
  const delivered = new Map<string, number>();

  const find = (id: string = DEFAULT_CHANNEL): Outcome<Channel> => {
    const channel = channels.get(id.trim().toLowerCase());
    if (channel !== undefined) return { ok: true, value: channel };
    return refuse("channel.unknown", `${id} (there are: ${[...channels.keys()].join(", ")})`);
  };

  return {
    register(channel) {
      const noted: Channel = {
        ...channel,
        async deliver(message) {
          const done = await channel.deliver(message);
          if (done.ok) delivered.set(channel.id, now());
          return done;
        },
      };
      channels.set(channel.id, noted);
      return () => {
        // Whoever took its place meanwhile stays.
        if (channels.get(channel.id) === noted) channels.delete(channel.id);
      };
    },
    list: () => [...channels.values()],
    find,
    lastDelivery: (id) => delivered.get(id) ?? null,
  };
}
