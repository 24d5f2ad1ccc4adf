/** Clients by the channels they want: there are 64 ways to want, so at most as many audiences. */
import type { WorldChannel } from "@atrium/wire/world";
import type { Audience, Peer } from "../../../sockets/peer.ts";
import { hasChannel, type ChannelSet } from "../messages/channel-set.ts";

export interface Audiences {
  /** What is published from now on reaches the peer; call what it returns to end that. */
  join(peer: Peer, channels: ChannelSet): () => void;
  publish(channel: WorldChannel, text: string): void;
  publishPassing(channel: WorldChannel, text: string): void;
  hasListeners(channel: WorldChannel): boolean;
}

/** `present` is how things stand: told to whoever was spared snapshots while it was behind. */
export function createAudiences(
  openAudience: (present: () => readonly string[]) => Audience,
  present: () => string,
): Audiences {
  const audiences = new Map<ChannelSet, Audience>();

  function* listeners(channel: WorldChannel): Iterable<Audience> {
    for (const [channels, audience] of audiences) {
      if (audience.size > 0 && hasChannel(channels, channel)) yield audience;
    }
  }

  return {
    join(peer, channels) {
      const standing = (): string[] => (hasChannel(channels, "snapshots") ? [present()] : []);
      const audience = audiences.get(channels) ?? openAudience(standing);
      audiences.set(channels, audience);
      peer.join(audience);
      return () => peer.leave(audience);
    },
    publish(channel, text) {
      for (const audience of listeners(channel)) audience.publish(text);
    },
    publishPassing(channel, text) {
      for (const audience of listeners(channel)) audience.publishPassing(text);
    },
    hasListeners: (channel) => !listeners(channel)[Symbol.iterator]().next().done,
  };
}
