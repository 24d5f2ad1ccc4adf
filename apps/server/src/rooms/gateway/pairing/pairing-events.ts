/** Entries about pairing as events for the operators who may decide. */
import { device, node, owns, type BatchListener, type Devices, type Nodes } from "@atrium/core";
import {
  devicePairRequested,
  devicePairResolved,
  nodePairRequested,
  nodePairResolved,
} from "@atrium/wire/gateway";
import { encodeEvent } from "../frames/encode.ts";
import { peerOf, type LiveNodes } from "../nodes/live-nodes.ts";
import { pairingRequest } from "../nodes/node-rows.ts";
import { type GatewayEgress } from "../outbound/egress.ts";
import { devicePairingRequest } from "../rows/device-rows.ts";

export interface PairingEventDeps {
  readonly egress: Pick<GatewayEgress, "publish">;
  readonly devices: Pick<Devices, "get">;
  readonly nodes: Pick<Nodes, "get">;
  readonly live: Pick<LiveNodes, "get">;
}

type Entry = Parameters<BatchListener>[0][number];

export function createPairingEvents(deps: PairingEventDeps): BatchListener {
  return (entries) => {
    for (const entry of entries) {
      if (owns(node, entry.stream)) publishNode(entry, deps);
      else if (owns(device, entry.stream)) publishDevice(entry, deps);
    }
  };
}

function publishNode(entry: Entry, { egress, live }: PairingEventDeps): void {
  const event = node.read(entry);
  const { nodeId } = event;
  const resolve = (
    requestId: string,
    decision: "approved" | "rejected" | "withdrawn" | "removed",
  ): void => {
    const payload = { requestId, nodeId, decision, ts: entry.at };
    egress.publish(nodePairResolved, payload);
    // The node has no scope that would let it receive the event, so it is sent to it directly.
    if (decision === "approved") {
      peerOf(live.get(nodeId))?.send(encodeEvent(nodePairResolved, payload));
    }
  };
  switch (event.type) {
    case "node.requested":
      egress.publish(
        nodePairRequested,
        pairingRequest(nodeId, { ...event, requestedAt: entry.at }),
      );
      return;
    case "node.approved":
      return resolve(event.requestId, "approved");
    case "node.rejected":
      return resolve(event.requestId, "rejected");
    case "node.withdrawn":
      return resolve(event.requestId, "withdrawn");
    case "node.removed":
      return resolve("", "removed");
    case "node.renamed":
      return undefined;
  }
}

function publishDevice(entry: Entry, { egress, devices }: PairingEventDeps): void {
  const event = device.read(entry);
  const { deviceId } = event;
  const resolve = (
    requestId: string,
    decision: "approved" | "rejected" | "expired" | "removed",
  ): void => egress.publish(devicePairResolved, { requestId, deviceId, decision, ts: entry.at });
  switch (event.type) {
    case "device.requested": {
      const isPaired = devices.get(deviceId) !== undefined;
      const request = { ...event, requestedAt: entry.at };
      egress.publish(devicePairRequested, devicePairingRequest(request, isPaired));
      return;
    }
    case "device.paired":
      return event.approvedVia === "silent" ? resolve("silent", "approved") : undefined;
    case "device.approved":
      return resolve(event.requestId, "approved");
    case "device.rejected":
      return resolve(event.requestId, "rejected");
    case "device.expired":
      return resolve(event.requestId, "expired");
    case "device.removed":
      return resolve("removed", "removed");
    case "device.granted":
    case "device.revoked":
    case "device.token.rotated":
    case "device.token.revoked":
      return undefined;
  }
}
