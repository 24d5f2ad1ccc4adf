/**
 * Puts nodes and paired devices together: which are connected, what they may do, what they are asked to do.
 *
 * A node's declaration is recorded before its `connect` is answered, so that every list has it by the time
 * others learn that it is connected. All other events follow from the log.
 */
import {
  Fault,
  node,
  readSurface,
  type BatchListener,
  type CrewMember,
  type Devices,
  type Dispatch,
  type Ids,
  type Nodes,
  type ReadInvocation,
} from "@atrium/core";
import type { DeviceToken } from "../../access/secrets.ts";
import type { Channel } from "../../channels/channel.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { Relay } from "../../cluster/relay.ts";
import type { Timers } from "../../platform/timers.ts";
import type { ToolSource } from "../../tools/toolbox.ts";
import { pairingFailed } from "./frames/handshake-refusals.ts";
import type { GatewayMethod, GatewayPeer } from "./frames/peer.ts";
import type { Handshake } from "./inbound/handshake.ts";
import { devicePairingMethods } from "./methods/device-pairing.ts";
import { deviceTokenMethods } from "./methods/device-tokens.ts";
import { nodePairingMethods } from "./methods/node-pairing.ts";
import { nodesMethods } from "./methods/nodes.ts";
import { createInvocations } from "./nodes/invocations.ts";
import { Invoker } from "./nodes/invoker.ts";
import { createLiveNodes, peerOf } from "./nodes/live-nodes.ts";
import { createNodeChannel } from "./nodes/node-channel.ts";
import { publishActivity } from "./nodes/node-events.ts";
import { infoOf } from "./nodes/node-rows.ts";
import { createNodeTools, type NodeToolsDeps } from "./nodes/node-tools.ts";
import type { GatewayEgress } from "./outbound/egress.ts";
import { createDeviceSockets } from "./pairing/device-sockets.ts";
import { createPairingEvents } from "./pairing/pairing-events.ts";

export interface NodeDeps {
  readonly nodes: Nodes;
  readonly devices: Devices;
  readonly crew: readonly CrewMember[];
  readonly dispatch: Dispatch;
  readonly ids: Ids;
  readonly deviceToken: DeviceToken;
  readonly readInvocation: ReadInvocation;
  readonly humanInput: NodeToolsDeps["humanInput"];
  /** Takes what connected nodes offer to agents. */
  readonly offerTools: (tools: ToolSource) => void;
  /** The other servers of the same log, to which nodes connect as well. */
  readonly relay: Pick<Relay, "mirror" | "calls">;
  readonly cluster: Pick<Cluster, "node" | "members" | "onChange" | "lease">;
  readonly timers: Timers;
}

export interface GatewayNodes {
  /** Messages to nodes that offer a command for them. */
  readonly channel: Channel;
  readonly methods: readonly GatewayMethod[];
  readonly onBatch: Readonly<Record<string, BatchListener>>;
  /** The same handshake, which also records what a node offers. */
  declaring(handshake: Handshake): Handshake;
  joined(member: GatewayPeer): void;
  left(peerId: string): void;
  /** Settles invocations that were open when the server last stopped. */
  resume(): Promise<void>;
  close(): void;
}

export function openGatewayNodes(
  deps: NodeDeps,
  room: {
    readonly egress: GatewayEgress;
    readonly now: () => number;
    readonly report: (fault: Fault) => void;
  },
): GatewayNodes {
  const { nodes, devices, crew, dispatch, ids, deviceToken, readInvocation, humanInput } = deps;
  const { egress, now, report } = room;
  const { mirror, calls } = deps.relay;
  const live = createLiveNodes({
    now,
    mirror,
    onActivityElsewhere: (nodeId, activity) => publishActivity(egress, nodeId, activity),
  });
  const sockets = createDeviceSockets(devices, mirror);
  const server = calls === undefined ? undefined : deps.cluster.node;
  const known = { nodes, devices, live, readInvocation };
  const invoker = new Invoker({ dispatch, ids, ...known, report, server });
  const newId = (): string => ids.next();
  const invocations = createInvocations({ invoker, live, calls, newId });
  const leftovers = watchLeftovers(deps, invoker, report);
  deps.offerTools(createNodeTools({ nodes, live, invoker: invocations, humanInput, newId }));

  return {
    channel: createNodeChannel({ nodes, invoker: invocations, newId }),
    methods: [
      ...nodesMethods({ ...known, invocations, invoker, crew, egress, dispatch, ids, now }),
      ...nodePairingMethods({ nodes, devices, live, sockets, deviceToken, dispatch, ids }),
      ...devicePairingMethods({ devices, nodes, sockets, dispatch, now }),
      ...deviceTokenMethods({ devices, sockets, deviceToken, dispatch }),
    ],
    onBatch: {
      pairing: createPairingEvents({ egress, devices, nodes, live }),
      sockets: sockets.onBatch,
      invocations: invoker.onBatch,
    },

    declaring: (handshake) => async (params, challenge, peer) => {
      const decision = await handshake(params, challenge, peer);
      if ("error" in decision || decision.role !== "node") return decision;
      const { deviceId: nodeId } = decision;
      if (nodeId === undefined) return decision;
      const { client } = params;
      const done = await dispatch(node, nodeId, {
        type: "declare",
        nodeId,
        requestId: ids.next(),
        surface: readSurface(params),
        info: infoOf(client, peer),
        isSilent: devices.get(nodeId)?.approvedVia === "silent",
      });
      return done.ok ? decision : pairingFailed();
    },

    joined(member) {
      sockets.joined(member);
      const before = live.joined(member);
      const peer = peerOf(before);
      if (peer !== undefined) invoker.left(peer.id);
    },

    left(peerId) {
      sockets.left(peerId);
      live.left(peerId);
      invocations.left(peerId);
    },

    resume: () => leftovers.settleOwn(),
    close() {
      leftovers[Symbol.dispose]();
      invoker.close();
    },
  };
}

/** A node that comes back settles what it left itself. */
const GONE_MS = 5_000;

/** Settles invocations that a server left open: at its next start, or the director when it does not come back. */
function watchLeftovers(
  { relay, cluster, timers }: NodeDeps,
  invoker: Pick<Invoker, "settleLeftovers">,
  report: (fault: Fault) => void,
) {
  const isOnly = relay.calls === undefined;
  let cancel: (() => void) | undefined;
  const settleGone = (): void => {
    cancel = undefined;
    if (!cluster.lease.isHeld) return;
    const alive = new Set<string | null>(cluster.members().map((member) => member.node));
    invoker
      .settleLeftovers((server) => !alive.has(server))
      .catch((cause: unknown) => report(new Fault("invocations were not settled", {}, cause)));
  };
  const watch = isOnly
    ? undefined
    : cluster.onChange(() => {
        cancel ??= timers.after(GONE_MS, settleGone);
      });
  return {
    settleOwn: () => invoker.settleLeftovers((server) => isOnly || server === cluster.node),
    [Symbol.dispose]() {
      cancel?.();
      watch?.[Symbol.dispose]();
    },
  };
}
