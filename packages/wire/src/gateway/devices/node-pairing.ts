/**
 * Gateway wire: what a node may do is asked for, agreed to, and taken back.
 *
 * `node.pair.request` and `node.pair.verify` are gone from the newest peer; clients of earlier ones
 * still call them.
 */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";

const PAIRING = "operator.pairing";
const once = { idempotencyKey: Type.Optional(IdempotencyKey) };
const names = Type.Array(NonEmptyString);

export const NodePermissions = Type.Record(Type.String(), Type.Boolean());

/** How a node describes itself. */
const self = {
  displayName: Type.Optional(NonEmptyString),
  platform: Type.Optional(NonEmptyString),
  version: Type.Optional(NonEmptyString),
  deviceFamily: Type.Optional(NonEmptyString),
  modelIdentifier: Type.Optional(NonEmptyString),
  remoteIp: Type.Optional(NonEmptyString),
};
const client = {
  clientId: Type.Optional(NonEmptyString),
  clientMode: Type.Optional(NonEmptyString),
};
const surface = {
  caps: names,
  commands: names,
  permissions: Type.Optional(NodePermissions),
};

export const NodePairingRequest = strictObject({
  requestId: NonEmptyString,
  nodeId: NonEmptyString,
  ...client,
  ...self,
  ...surface,
  /** What one must hold, all of it, to approve. */
  requiredApproveScopes: names,
  silent: Type.Boolean(),
  ts: Timestamp,
});
export type NodePairingRequest = Static<typeof NodePairingRequest>;

export const NodePairing = strictObject({
  nodeId: NonEmptyString,
  ...client,
  ...self,
  ...surface,
  createdAtMs: Timestamp,
  approvedAtMs: Timestamp,
  lastSeenAtMs: Type.Optional(Timestamp),
  lastSeenReason: Type.Optional(NonEmptyString),
});
export type NodePairing = Static<typeof NodePairing>;

export const nodePairList = method({
  name: "node.pair.list",
  scope: PAIRING,
  params: strictObject({}),
  result: strictObject({
    pending: Type.Array(NodePairingRequest),
    paired: Type.Array(NodePairing),
  }),
});

export const nodePairRequest = method({
  name: "node.pair.request",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({
    nodeId: Type.String({ pattern: "^[A-Za-z0-9._:-]{1,128}$" }),
    ...self,
    coreVersion: Type.Optional(NonEmptyString),
    uiVersion: Type.Optional(NonEmptyString),
    caps: Type.Optional(names),
    commands: Type.Optional(names),
    permissions: Type.Optional(NodePermissions),
    silent: Type.Optional(Type.Boolean()),
    ...once,
  }),
  result: strictObject({
    /** `approved` when nothing is asked for that was not agreed to before. */
    status: Type.Union([Type.Literal("pending"), Type.Literal("approved")]),
    created: Type.Boolean(),
    request: Type.Optional(NodePairingRequest),
    node: Type.Optional(NodePairing),
  }),
});

export const nodePairApprove = method({
  name: "node.pair.approve",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ requestId: NonEmptyString, ...once }),
  result: strictObject({ requestId: NonEmptyString, node: NodePairing }),
});

export const nodePairReject = method({
  name: "node.pair.reject",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ requestId: NonEmptyString, ...once }),
  result: strictObject({ requestId: NonEmptyString, nodeId: NonEmptyString }),
});

export const nodePairRemove = method({
  name: "node.pair.remove",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ nodeId: NonEmptyString, ...once }),
  result: strictObject({ nodeId: NonEmptyString }),
});

export const nodePairVerify = method({
  name: "node.pair.verify",
  scope: PAIRING,
  params: strictObject({ nodeId: NonEmptyString, token: NonEmptyString }),
  result: strictObject({ ok: Type.Boolean(), node: Type.Optional(NodePairing) }),
});

export const nodePairRequested = event({
  name: "node.pair.requested",
  scope: PAIRING,
  payload: NodePairingRequest,
});

export const nodePairResolved = event({
  name: "node.pair.resolved",
  scope: PAIRING,
  payload: strictObject({
    /** Empty when a node was removed: no request was. */
    requestId: Type.String(),
    nodeId: NonEmptyString,
    decision: literals("approved", "rejected", "withdrawn", "removed"),
    ts: Timestamp,
  }),
});
