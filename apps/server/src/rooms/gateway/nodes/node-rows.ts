/** Rows for nodes: a connected node is shown as it declares itself, any other as it was approved. */
import type {
  NodeApproval,
  NodeInfo,
  NodeRequest,
  NodeRow as Known,
  NodeOffer,
} from "@atrium/core";
import type { ClientInfo, NodePairing, NodePairingRequest, NodeRow } from "@atrium/wire/gateway";
import type { Peer } from "../../../sockets/peer.ts";
import { scopesToApprove } from "./command-scopes.ts";
import type { LiveNode, Visit } from "./live-nodes.ts";

/** Everything that is known of one node. */
export interface NodeFacts {
  readonly nodeId: string;
  readonly row: Known | undefined;
  readonly live: LiveNode | undefined;
  readonly visit: Visit | undefined;
  /** When its device was paired as a node, if it was. */
  readonly pairedAt: number | undefined;
}

export function nodeRow({ nodeId, row, live, visit, pairedAt }: NodeFacts): NodeRow {
  const approved = row?.approved ?? null;
  const waiting = row?.waiting ?? null;
  const info = live === undefined ? (approved ?? waiting)?.info : infoOf(live.client, live.origin);
  const usable = usableSurface(approved, live);
  const approvedAt = approved?.approvedAt ?? pairedAt;
  return {
    nodeId,
    ...describe(info, row?.name ?? null),
    caps: usable.caps,
    commands: usable.commands,
    ...permissionsOf(usable),
    ...(live?.pathEnv !== undefined && { pathEnv: live.pathEnv }),
    sessionHost: false,
    approvalState: stateOf(approved, waiting),
    ...(waiting !== null && {
      pendingRequestId: waiting.requestId,
      pendingDeclaredCaps: [...waiting.surface.caps],
      pendingDeclaredCommands: [...waiting.surface.commands],
      ...(hasAny(waiting.surface.permissions) && {
        pendingDeclaredPermissions: { ...waiting.surface.permissions },
      }),
    }),
    ...(live !== undefined && { connectedAtMs: live.connectedAt }),
    ...(visit !== undefined && { lastConnectedAtMs: visit.connectedAt, ...seen(visit) }),
    ...(live?.activity !== null &&
      live?.activity !== undefined && {
        lastActiveAtMs: live.activity.lastActiveAt,
        presenceUpdatedAtMs: live.activity.updatedAt,
      }),
    ...(approvedAt !== undefined && { approvedAtMs: approvedAt }),
    paired: pairedAt !== undefined || approved !== null,
    connected: live !== undefined,
  };
}

export function pairingRequest(nodeId: string, request: NodeRequest): NodePairingRequest {
  const { requestId, surface, info, isSilent, requestedAt } = request;
  return {
    requestId,
    nodeId,
    ...describe(info, null),
    caps: [...surface.caps],
    commands: [...surface.commands],
    ...permissionsOf(surface),
    requiredApproveScopes: [...scopesToApprove(surface.commands)],
    silent: isSilent,
    ts: requestedAt,
  };
}

export function pairing(row: Known, approved: NodeApproval, visit: Visit | undefined): NodePairing {
  const { surface, info, approvedAt } = approved;
  return {
    nodeId: row.nodeId,
    ...describe(info, row.name),
    caps: [...surface.caps],
    commands: [...surface.commands],
    ...permissionsOf(surface),
    createdAtMs: approvedAt,
    approvedAtMs: approvedAt,
    ...(visit !== undefined && seen(visit)),
  };
}

export function infoOf(client: ClientInfo, peer: Pick<Peer, "address" | "isLocal">): NodeInfo {
  return {
    displayName: client.displayName ?? null,
    platform: client.platform,
    version: client.version,
    deviceFamily: client.deviceFamily ?? null,
    modelIdentifier: client.modelIdentifier ?? null,
    clientId: client.id,
    clientMode: client.mode,
    address: peer.isLocal ? null : peer.address,
  };
}

/** What was approved, as far as the node still offers it. */
function usableSurface(
  approved: NodeApproval | null,
  live: LiveNode | undefined,
): { caps: string[]; commands: string[]; permissions: Record<string, boolean> } {
  const { caps, commands, permissions } = approved?.surface ?? EMPTY;
  const offered = live?.declared ?? { caps, commands, permissions };
  return {
    caps: caps.filter((cap) => offered.caps.includes(cap)),
    commands: commands.filter((command) => offered.commands.includes(command)),
    permissions: Object.fromEntries(
      Object.entries(permissions).filter(([name]) => Object.hasOwn(offered.permissions, name)),
    ),
  };
}

const EMPTY: NodeOffer = { caps: [], commands: [], permissions: {} };

function stateOf(
  approved: NodeApproval | null,
  waiting: NodeRequest | null,
): NodeRow["approvalState"] {
  if (waiting === null) return approved === null ? "unapproved" : "approved";
  return approved === null ? "pending-approval" : "pending-reapproval";
}

function describe(info: NodeInfo | undefined, name: string | null) {
  const { address, ...shown } = info ?? NO_INFO;
  const all = { ...shown, displayName: name ?? shown.displayName, remoteIp: address };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as {
    [Name in keyof typeof all]?: string;
  };
}

const NO_INFO: NodeInfo = {
  displayName: null,
  platform: null,
  version: null,
  deviceFamily: null,
  modelIdentifier: null,
  clientId: null,
  clientMode: null,
  address: null,
};

function seen({ connectedAt, disconnectedAt }: Visit) {
  if (disconnectedAt === null) return { lastSeenAtMs: connectedAt, lastSeenReason: "connect" };
  return { lastSeenAtMs: disconnectedAt, lastSeenReason: "disconnect" };
}

function permissionsOf({ permissions }: Pick<NodeOffer, "permissions">) {
  return hasAny(permissions) ? { permissions: { ...permissions } } : {};
}

function hasAny(permissions: NodeOffer["permissions"]): boolean {
  return Object.keys(permissions).length > 0;
}
