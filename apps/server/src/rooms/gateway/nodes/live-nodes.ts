/**
 * Which nodes are connected right now, and over which connection. Ephemeral, as presence is.
 *
 * A node has one connection: a newer one takes the place of the one before, which is most often a
 * socket that its owner has already lost.
 */
import { BoundedMap, readSurface, type NodeOffer } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import type { GatewayPeer } from "../frames/peer.ts";

export interface LiveNode {
  readonly nodeId: string;
  readonly member: GatewayPeer;
  readonly connectedAt: number;
  readonly declared: NodeOffer;
  /** When a person last used that machine, and when we were told; null when we were not. */
  readonly activity: { readonly lastActiveAt: number; readonly updatedAt: number } | null;
}

/** What is remembered of a node that has been here. */
export interface Visit {
  readonly connectedAt: number;
  readonly disconnectedAt: number | null;
}

export interface LiveNodes {
  /** Gives back the connection whose place it took. */
  joined(member: GatewayPeer): LiveNode | undefined;
  /** The node that has just lost its connection with that peer, if it was one's. */
  left(peerId: string): LiveNode | undefined;
  get(nodeId: string): LiveNode | undefined;
  list(): readonly LiveNode[];
  lastVisit(nodeId: string): Visit | undefined;
  setActivity(nodeId: string, activity: LiveNode["activity"]): void;
}

/** Enough for any team; what falls out is only when a node was last here. */
const MAX_VISITS = 1_000;

export function createLiveNodes(now: () => number): LiveNodes {
  const nodes = new Map<string, LiveNode>();
  const visits = new BoundedMap<string, Visit>(MAX_VISITS);

  return {
    joined(member) {
      const nodeId = nodeIdOf(member);
      if (nodeId === undefined) return undefined;
      const connectedAt = now();
      const before = nodes.get(nodeId);
      const declared = readSurface(member.params);
      nodes.set(nodeId, { nodeId, member, connectedAt, declared, activity: null });
      visits.setNewest(nodeId, { connectedAt, disconnectedAt: null });
      before?.member.peer.close(CLOSE.policy, "replaced by a newer connection of this node");
      return before;
    },
    left(peerId) {
      for (const live of nodes.values()) {
        if (live.member.peer.id !== peerId) continue;
        nodes.delete(live.nodeId);
        visits.setNewest(live.nodeId, { connectedAt: live.connectedAt, disconnectedAt: now() });
        return live;
      }
      return undefined;
    },
    get: (nodeId) => nodes.get(nodeId),
    list: () => [...nodes.values()],
    lastVisit: (nodeId) => visits.get(nodeId),
    setActivity(nodeId, activity) {
      const live = nodes.get(nodeId);
      if (live !== undefined) nodes.set(nodeId, { ...live, activity });
    },
  };
}

/** Only a device can be a node: its key is what makes it the same one tomorrow. */
export function nodeIdOf({ admission }: GatewayPeer): string | undefined {
  return admission.role === "node" ? admission.deviceId : undefined;
}
