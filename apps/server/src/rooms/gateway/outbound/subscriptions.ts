/**
 * Who follows which conversations.
 *
 * A peer follows all of them, or some by key; one that follows all is not sent events twice for those it also
 * named. There is one audience per conversation, so that its followers share the encoded bytes. Subscriptions
 * end with the connection.
 */
import type { EventContract, PayloadOf } from "@atrium/wire/gateway";
import type { Audience, Peer } from "../../../sockets/peer.ts";
import { CAPS } from "../frames/capabilities.ts";
import { encodeEvent } from "../frames/encode.ts";
import type { GatewayPeer } from "../frames/peer.ts";

export interface Subscriptions {
  followAll(member: GatewayPeer): void;
  unfollowAll(member: GatewayPeer): void;
  follow(member: GatewayPeer, key: string): void;
  unfollow(member: GatewayPeer, key: string): void;
  left(peerId: string): void;
  /** To everyone who follows that conversation. */
  publish<E extends EventContract>(key: string, event: E, payload: PayloadOf<E>): void;
  /** To everyone who follows all of them. */
  publishToAll<E extends EventContract>(event: E, payload: PayloadOf<E>): void;
  /** To those who want only the events of conversations they follow. */
  publishScoped<E extends EventContract>(key: string, event: E, payload: PayloadOf<E>): void;
}

interface Follower {
  readonly peer: Peer;
  readonly isScoped: boolean;
  readonly keys: Set<string>;
  isFollowingAll: boolean;
}

export function createSubscriptions(openAudience: () => Audience): Subscriptions {
  const followers = new Map<string, Follower>();
  const all = openAudience();
  const followed = new Audiences(openAudience);
  const scoped = new Audiences(openAudience);

  function of({ peer, caps }: GatewayPeer): Follower {
    const known = followers.get(peer.id);
    if (known !== undefined) return known;
    const isScoped = caps.has(CAPS.sessionScoped);
    const follower = { peer, isScoped, keys: new Set<string>(), isFollowingAll: false };
    followers.set(peer.id, follower);
    return follower;
  }

  return {
    followAll(member) {
      const follower = of(member);
      if (follower.isFollowingAll) return;
      follower.isFollowingAll = true;
      for (const key of follower.keys) followed.leave(key, follower.peer);
      follower.peer.join(all);
    },
    unfollowAll(member) {
      const follower = of(member);
      if (!follower.isFollowingAll) return;
      follower.isFollowingAll = false;
      follower.peer.leave(all);
      for (const key of follower.keys) followed.join(key, follower.peer);
    },
    follow(member, key) {
      const follower = of(member);
      if (follower.keys.has(key)) return;
      follower.keys.add(key);
      if (!follower.isFollowingAll) followed.join(key, follower.peer);
      if (follower.isScoped) scoped.join(key, follower.peer);
    },
    unfollow(member, key) {
      const follower = of(member);
      if (!follower.keys.delete(key)) return;
      if (!follower.isFollowingAll) followed.leave(key, follower.peer);
      if (follower.isScoped) scoped.leave(key, follower.peer);
    },
    left(peerId) {
      const follower = followers.get(peerId);
      if (follower === undefined) return;
      followers.delete(peerId);
      // The connection has already left its audiences; the empty ones are dropped here.
      for (const key of follower.keys) {
        followed.drop(key);
        scoped.drop(key);
      }
    },
    publish(key, event, payload) {
      const one = followed.get(key);
      if (all.size === 0 && one === undefined) return;
      const text = encodeEvent(event, payload);
      all.publish(text);
      one?.publish(text);
    },
    publishToAll(event, payload) {
      if (all.size > 0) all.publish(encodeEvent(event, payload));
    },
    publishScoped(key, event, payload) {
      scoped.get(key)?.publish(encodeEvent(event, payload));
    },
  };
}

/** One audience per conversation that anyone follows. */
class Audiences {
  readonly #open: () => Audience;
  readonly #byKey = new Map<string, Audience>();

  constructor(open: () => Audience) {
    this.#open = open;
  }

  get(key: string): Audience | undefined {
    return this.#byKey.get(key);
  }

  join(key: string, peer: Peer): void {
    const audience = this.#byKey.get(key) ?? this.#open();
    this.#byKey.set(key, audience);
    peer.join(audience);
  }

  leave(key: string, peer: Peer): void {
    const audience = this.#byKey.get(key);
    if (audience === undefined) return;
    peer.leave(audience);
    this.drop(key);
  }

  drop(key: string): void {
    if (this.#byKey.get(key)?.size === 0) this.#byKey.delete(key);
  }
}
