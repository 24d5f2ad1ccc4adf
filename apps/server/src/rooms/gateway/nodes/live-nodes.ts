/**
 * Which nodes are connected, to this server or another one of the same log. Ephemeral, like presence.
 *
 * A node has one connection: a newer one replaces the one before, which is usually a socket that the node
 * has already lost.
 */
import { BoundedMap, readSurface, type NodeOffer } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import type { ClientInfo } from "@atrium/wire/gateway";
import type { OpenMirror } from "../../../cluster/relay.ts";
import type { Peer } from "../../../sockets/peer.ts";
import type { GatewayPeer } from "../frames/peer.ts";

/** When a person last used that machine, and when it was reported; null when it never was. */
export type NodeActivity = { readonly lastActiveAt: number; readonly updatedAt: number } | null;

interface ConnectedNode {
  readonly nodeId: string;
  readonly client: ClientInfo;
  readonly origin: Pick<Peer, "address" | "isLocal">;
  readonly pathEnv?: string | undefined;
  readonly connectedAt: number;
  readonly declared: NodeOffer;
  readonly activity: NodeActivity;
}

export interface LiveNode extends ConnectedNode {
  readonly link:
    | { readonly type: "here"; readonly peer: Peer }
    /** Connected to another server, of this name. */
    | { readonly type: "elsewhere"; readonly server: string };
}

/** The last connection of a node. */
export interface Visit {
  readonly connectedAt: number;
  readonly disconnectedAt: number | null;
}

export interface LiveNodes {
  /** Returns the connection that it replaced. */
  joined(member: GatewayPeer): LiveNode | undefined;
  /** The connection of a node here has closed. */
  left(peerId: string): void;
  get(nodeId: string): LiveNode | undefined;
  list(): readonly LiveNode[];
  lastVisit(nodeId: string): Visit | undefined;
  setActivity(nodeId: string, activity: NodeActivity): void;
}

export interface LiveNodesDeps {
  readonly now: () => number;
  readonly mirror: OpenMirror;
  /** Someone used a machine whose node is connected to another server. */
  readonly onActivityElsewhere: (nodeId: string, activity: NodeActivity) => void;
}

type NodeChange =
  | { readonly type: "joined"; readonly node: ConnectedNode }
  | { readonly type: "left"; readonly nodeId: string; readonly at: number }
  | { readonly type: "activity"; readonly nodeId: string; readonly activity: NodeActivity };

/** Enough for any team; for the oldest, only the time of the last connection is forgotten. */
const MAX_VISITS = 1_000;

export function createLiveNodes(deps: LiveNodesDeps): LiveNodes {
  const { now } = deps;
  const nodes = new Map<string, LiveNode>();
  const visits = new BoundedMap<string, Visit>(MAX_VISITS);

  function enter(node: LiveNode): LiveNode | undefined {
    const { nodeId, connectedAt } = node;
    const before = nodes.get(nodeId);
    nodes.set(nodeId, node);
    visits.setNewest(nodeId, { connectedAt, disconnectedAt: null });
    if (before?.link.type === "here") {
      before.link.peer.close(CLOSE.policy, "replaced by a newer connection of this node");
    }
    return before;
  }

  function leave({ nodeId, connectedAt }: LiveNode, disconnectedAt: number): void {
    nodes.delete(nodeId);
    visits.setNewest(nodeId, { connectedAt, disconnectedAt });
  }

  function at(server: string, nodeId: string): LiveNode | undefined {
    const live = nodes.get(nodeId);
    return live?.link.type === "elsewhere" && live.link.server === server ? live : undefined;
  }

  function apply(change: NodeChange, server: string): void {
    if (change.type === "joined") {
      enter({ ...change.node, link: { type: "elsewhere", server } });
      return;
    }
    const live = at(server, change.nodeId);
    if (live === undefined) return;
    if (change.type === "left") return leave(live, change.at);
    nodes.set(live.nodeId, { ...live, activity: change.activity });
    deps.onActivityElsewhere(live.nodeId, change.activity);
  }

  const mirror = deps.mirror<NodeChange>({
    name: "live-nodes",
    *whole() {
      for (const { link, ...node } of nodes.values()) {
        if (link.type === "here") yield { type: "joined", node };
      }
    },
    apply,
    replace(changes, server) {
      const joined = changes.flatMap((change) => (change.type === "joined" ? change.node : []));
      const ids = new Set(joined.map(({ nodeId }) => nodeId));
      for (const live of nodes.values()) {
        if (at(server, live.nodeId) === live && !ids.has(live.nodeId)) leave(live, now());
      }
      for (const node of joined) {
        // It may have come here since.
        const isNewer = node.connectedAt >= (nodes.get(node.nodeId)?.connectedAt ?? 0);
        if (isNewer) apply({ type: "joined", node }, server);
      }
    },
  });

  return {
    joined(member) {
      const nodeId = nodeIdOf(member);
      if (nodeId === undefined) return undefined;
      const node = { nodeId, ...factsOf(member), connectedAt: now(), activity: null };
      mirror?.tell({ type: "joined", node });
      return enter({ ...node, link: { type: "here", peer: member.peer } });
    },
    left(peerId) {
      for (const live of nodes.values()) {
        if (live.link.type !== "here" || live.link.peer.id !== peerId) continue;
        const leftAt = now();
        leave(live, leftAt);
        mirror?.tell({ type: "left", nodeId: live.nodeId, at: leftAt });
      }
    },
    get: (nodeId) => nodes.get(nodeId),
    list: () => [...nodes.values()],
    lastVisit: (nodeId) => visits.get(nodeId),
    setActivity(nodeId, activity) {
      const live = nodes.get(nodeId);
      if (live === undefined) return;
      nodes.set(nodeId, { ...live, activity });
      mirror?.tell({ type: "activity", nodeId, activity });
    },
  };
}

function factsOf({ peer: { address, isLocal }, params }: GatewayPeer) {
  const { client, pathEnv } = params;
  return { client, pathEnv, origin: { address, isLocal }, declared: readSurface(params) };
}

/** The connection of a node, if it is with this server. */
export function peerOf(live: LiveNode | undefined): Peer | undefined {
  return live?.link.type === "here" ? live.link.peer : undefined;
}

/** Only a device can be a node: it is recognized by its key. */
export function nodeIdOf({ admission }: GatewayPeer): string | undefined {
  return admission.role === "node" ? admission.deviceId : undefined;
}
