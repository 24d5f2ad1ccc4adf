import {
  accept,
  device,
  node,
  refuse,
  type Devices,
  type Dispatch,
  type Nodes,
} from "@atrium/core";
import {
  devicePairApprove,
  devicePairList,
  devicePairReject,
  devicePairRemove,
} from "@atrium/wire/gateway";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import type { DeviceSockets } from "../pairing/device-sockets.ts";
import { devicePairing, devicePairingRequest } from "../rows/device-rows.ts";

export interface DevicePairingDeps {
  readonly devices: Pick<Devices, "get" | "list" | "requests">;
  readonly nodes: Pick<Nodes, "get">;
  readonly sockets: Pick<DeviceSockets, "close" | "isConnected">;
  readonly dispatch: Dispatch;
  readonly now: () => number;
}

export function devicePairingMethods(deps: DevicePairingDeps): readonly GatewayMethod[] {
  const { devices, nodes, sockets, dispatch, now } = deps;
  const ownerOf = (requestId: string): string | undefined =>
    devices.requests().find((request) => request.requestId === requestId)?.deviceId;

  return [
    serve(devicePairList, () => {
      const waiting = devices.requests().filter(({ expiresAt }) => expiresAt > now());
      return accept({
        pending: waiting.map((request) =>
          devicePairingRequest(request, devices.get(request.deviceId) !== undefined),
        ),
        paired: devices
          .list()
          .map((known) => devicePairing(known, sockets.isConnected(known.deviceId))),
      });
    }),

    serve(devicePairApprove, async ({ requestId }, { caller, key }) => {
      const deviceId = ownerOf(requestId);
      if (deviceId === undefined) return refuse("request.unknown", requestId);
      const holds = [...caller.scopes];
      const approve = { type: "approve", requestId, now: now(), holds } as const;
      const done = await dispatch(device, deviceId, approve, key);
      if (!done.ok) return done;
      const known = devices.get(deviceId);
      return known === undefined
        ? refuse("device.unknown")
        : accept({ requestId, device: devicePairing(known, sockets.isConnected(deviceId)) });
    }),

    serve(devicePairReject, async ({ requestId }, { key }) => {
      const deviceId = ownerOf(requestId);
      if (deviceId === undefined) return refuse("request.unknown", requestId);
      const done = await dispatch(device, deviceId, { type: "reject", requestId }, key);
      return done.ok ? accept({ requestId, deviceId }) : done;
    }),

    serve(devicePairRemove, async ({ deviceId }, { key }) => {
      if (devices.get(deviceId) === undefined) return refuse("device.unknown");
      const done = await dispatch(device, deviceId, { type: "remove" }, key);
      if (!done.ok) return done;
      sockets.close(deviceId);
      // Its approval as a node is removed with it.
      if (nodes.get(deviceId) !== undefined) await dispatch(node, deviceId, { type: "remove" });
      return accept({ deviceId });
    }),
  ];
}
