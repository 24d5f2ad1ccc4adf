import {
  accept,
  device,
  node,
  readSurface,
  refuse,
  type Devices,
  type Dispatch,
  type Ids,
  type NodeInfo,
  type NodeRow,
  type Nodes,
} from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import {
  nodePairApprove,
  nodePairList,
  nodePairReject,
  nodePairRemove,
  nodePairRequest,
  nodePairVerify,
  type NodePairing,
  type NodePairingRequest,
} from "@atrium/wire/gateway";
import { isSameSecret, type DeviceToken } from "../../../access/secrets.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import { scopesToApprove } from "../nodes/command-scopes.ts";
import type { LiveNodes } from "../nodes/live-nodes.ts";
import { pairing, pairingRequest } from "../nodes/node-rows.ts";
import type { DeviceSockets } from "../pairing/device-sockets.ts";

export interface NodePairingDeps {
  readonly nodes: Pick<Nodes, "get" | "list" | "ownerOf">;
  readonly devices: Pick<Devices, "get">;
  readonly live: Pick<LiveNodes, "lastVisit">;
  readonly sockets: Pick<DeviceSockets, "close">;
  readonly deviceToken: DeviceToken;
  readonly dispatch: Dispatch;
  readonly ids: Ids;
}

export function nodePairingMethods(deps: NodePairingDeps): readonly GatewayMethod[] {
  const { nodes, devices, live, sockets, deviceToken, dispatch, ids } = deps;

  const pairingOf = (row: NodeRow | undefined): NodePairing | undefined =>
    row?.approved ? pairing(row, row.approved, live.lastVisit(row.nodeId)) : undefined;

  return [
    serve(nodePairList, () =>
      accept({
        pending: nodes.list().flatMap((row) => requestOf(row) ?? []),
        paired: nodes.list().flatMap((row) => pairingOf(row) ?? []),
      }),
    ),

    serve(nodePairRequest, async (params, { key }) => {
      const { nodeId, silent = false } = params;
      const done = await dispatch(
        node,
        nodeId,
        {
          type: "declare",
          nodeId,
          requestId: ids.next(),
          surface: readSurface(params),
          info: infoIn(params),
          isSilent: silent,
        },
        key,
      );
      if (!done.ok) return done;
      const row = nodes.get(nodeId);
      const request = requestOf(row);
      const approved = pairingOf(row);
      const created = done.value.events.some(({ type }) => type === "node.requested");
      if (request !== undefined) return accept({ status: "pending", created, request });
      return accept({ status: "approved", created, ...(approved && { node: approved }) });
    }),

    serve(nodePairApprove, async ({ requestId }, { caller, key }) => {
      const nodeId = nodes.ownerOf(requestId);
      if (nodeId === undefined) return refuse("request.unknown", requestId);
      const waiting = nodes.get(nodeId)?.waiting?.surface.commands ?? [];
      const missing = scopesToApprove(waiting).find((scope) => !caller.scopes.has(scope));
      if (missing !== undefined) return refuse("scope.missing", missing);
      const done = await dispatch(node, nodeId, { type: "approve", requestId }, key);
      if (!done.ok) return done;
      const approved = pairingOf(nodes.get(nodeId));
      return approved === undefined
        ? refuse("request.unknown", requestId)
        : accept({ requestId, node: approved });
    }),

    serve(nodePairReject, async ({ requestId }, { key }) => {
      const nodeId = nodes.ownerOf(requestId);
      if (nodeId === undefined) return refuse("request.unknown", requestId);
      const done = await dispatch(node, nodeId, { type: "reject", requestId }, key);
      return done.ok ? accept({ requestId, nodeId }) : done;
    }),

    serve(nodePairRemove, async ({ nodeId }, { key }) => {
      const isDevice = devices.get(nodeId)?.grants.get("node") !== undefined;
      if (nodes.get(nodeId) !== undefined) {
        const done = await dispatch(node, nodeId, { type: "remove" }, key);
        if (!done.ok) return done;
      } else if (!isDevice) return refuse("node.unknown");
      const done = await dispatch(device, nodeId, { type: "revoke", role: "node" });
      if (!done.ok) return done;
      sockets.close(nodeId, "node");
      return accept({ nodeId });
    }),

    serve(nodePairVerify, ({ nodeId, token }) => {
      const grant = devices.get(nodeId)?.grants.get("node");
      const approved = pairingOf(nodes.get(nodeId));
      if (grant === undefined || approved === undefined) return accept({ ok: false });
      const isRight = isSameSecret(token, deviceToken(nodeId, "node", grant.generation));
      return accept(isRight ? { ok: true, node: approved } : { ok: false });
    }),
  ];
}

function requestOf(row: NodeRow | undefined): NodePairingRequest | undefined {
  return row?.waiting ? pairingRequest(row.nodeId, row.waiting) : undefined;
}

function infoIn(params: ParamsOf<typeof nodePairRequest>): NodeInfo {
  return {
    displayName: params.displayName ?? null,
    platform: params.platform ?? null,
    version: params.version ?? null,
    deviceFamily: params.deviceFamily ?? null,
    modelIdentifier: params.modelIdentifier ?? null,
    clientId: null,
    clientMode: null,
    address: params.remoteIp ?? null,
  };
}
