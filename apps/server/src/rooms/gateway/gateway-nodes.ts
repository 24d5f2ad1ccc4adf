/**
 * Puts nodes and paired devices together: which are connected, what they may do, what they are asked to do.
 *
 * A node's declaration is recorded before its `connect` is answered, so that every list has it by the time
 * others learn that it is connected. All other events follow from the log.
 */
import {
  node,
  readSurface,
  type BatchListener,
  type CrewMember,
  type Devices,
  type Dispatch,
  type Fault,
  type Ids,
  type Nodes,
  type ReadInvocation,
} from "@atrium/core";
import type { DeviceToken } from "../../access/secrets.ts";
import type { Channel } from "../../channels/channel.ts";
import type { ToolSource } from "../../tools/toolbox.ts";
import { pairingFailed } from "./frames/handshake-refusals.ts";
import type { GatewayMethod, GatewayPeer } from "./frames/peer.ts";
import type { Handshake } from "./inbound/handshake.ts";
import { devicePairingMethods } from "./methods/device-pairing.ts";
import { deviceTokenMethods } from "./methods/device-tokens.ts";
import { nodePairingMethods } from "./methods/node-pairing.ts";
import { nodesMethods } from "./methods/nodes.ts";
import { Invoker } from "./nodes/invoker.ts";
import { createLiveNodes } from "./nodes/live-nodes.ts";
import { createNodeChannel } from "./nodes/node-channel.ts";
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
}

export interface GatewayNodes {
  /** Messages to nodes that offer a command for them. */
  readonly channel: Channel;
  readonly methods: readonly GatewayMethod[];
  readonly onBatch: BatchListener;
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
  const live = createLiveNodes(now);
  const sockets = createDeviceSockets(devices);
  const invoker = new Invoker({ dispatch, ids, nodes, devices, live, readInvocation, report });
  const newId = (): string => ids.next();
  deps.offerTools(createNodeTools({ nodes, live, invoker, humanInput, newId }));

  return {
    channel: createNodeChannel({ nodes, invoker, newId }),
    methods: [
      ...nodesMethods({ nodes, devices, live, invoker, crew, egress, dispatch, ids, now }),
      ...nodePairingMethods({ nodes, devices, live, sockets, deviceToken, dispatch, ids }),
      ...devicePairingMethods({ devices, nodes, sockets, dispatch, now }),
      ...deviceTokenMethods({ devices, sockets, deviceToken, dispatch }),
    ],
    onBatch: createPairingEvents({ egress, devices, nodes, live }),

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
      if (before !== undefined) invoker.left(before.member.peer.id);
    },

    left(peerId) {
      sockets.left(peerId);
      live.left(peerId);
      invoker.left(peerId);
    },

    resume: () => invoker.settleLeftovers(),
    close: () => invoker.close(),
  };
}
