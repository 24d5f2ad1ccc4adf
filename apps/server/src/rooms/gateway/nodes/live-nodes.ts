/**
 * Which nodes are connected, and over which connection. Ephemeral, like presence.
 *
 * A node has one connection: a newer one replaces the one before, which is usually a socket that the node
 * has already lost.
 */
import { BoundedMap, readSurface, type NodeOffer } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import type { GatewayPeer } from "../frames/peer.ts";

export interface LiveNode {
  readonly nodeId: string;
  readonly member: GatewayPeer;
  readonly connectedAt: number;
  readonly declared: NodeOffer;
  /** When a person last used that machine, and when it was reported; null when it never was. */
  readonly activity: { readonly lastActiveAt: number; readonly updatedAt: number } | null;
}

/** The last connection of a node. */
export interface Visit {
  readonly connectedAt: number;
  readonly disconnectedAt: number | null;
}

export interface LiveNodes {
  /** Returns the connection that it replaced. */
  joined(member: GatewayPeer): LiveNode | undefined;
  /** Returns the node whose connection that was, if it was a node's. */
  left(peerId: string): LiveNode | undefined;
  get(nodeId: string): LiveNode | undefined;
  list(): readonly LiveNode[];
  lastVisit(nodeId: string): Visit | undefined;
  setActivity(nodeId: string, activity: LiveNode["activity"]): void;
}

/** Enough for any team; for the oldest, only the time of the last connection is forgotten. */
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

/** Only a device can be a node: it is recognized by its key. */
export function nodeIdOf({ admission }: GatewayPeer): string | undefined {
  return admission.role === "node" ? admission.deviceId : undefined;
}
