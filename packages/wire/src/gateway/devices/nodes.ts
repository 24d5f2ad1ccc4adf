/** Gateway wire: which nodes there are, and what they say without being asked. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";
import { NODE_SCOPE } from "../../scopes.ts";
import { NodePermissions } from "./node-pairing.ts";

const names = Type.Array(NonEmptyString);

const row = {
  nodeId: NonEmptyString,
  displayName: Type.Optional(NonEmptyString),
  platform: Type.Optional(NonEmptyString),
  version: Type.Optional(NonEmptyString),
  clientId: Type.Optional(NonEmptyString),
  clientMode: Type.Optional(NonEmptyString),
  deviceFamily: Type.Optional(NonEmptyString),
  modelIdentifier: Type.Optional(NonEmptyString),
  remoteIp: Type.Optional(NonEmptyString),
  /** What can be used now; of a node that is not connected, what was agreed to. */
  caps: names,
  commands: names,
  permissions: Type.Optional(NodePermissions),
  pathEnv: Type.Optional(Type.String()),
  sessionHost: Type.Boolean(),
  approvalState: literals("unapproved", "pending-approval", "pending-reapproval", "approved"),
  pendingRequestId: Type.Optional(NonEmptyString),
  pendingDeclaredCaps: Type.Optional(names),
  pendingDeclaredCommands: Type.Optional(names),
  pendingDeclaredPermissions: Type.Optional(NodePermissions),
  connectedAtMs: Type.Optional(Timestamp),
  lastConnectedAtMs: Type.Optional(Timestamp),
  lastDisconnectedAtMs: Type.Optional(Timestamp),
  lastActiveAtMs: Type.Optional(Timestamp),
  presenceUpdatedAtMs: Type.Optional(Timestamp),
  lastSeenAtMs: Type.Optional(Timestamp),
  lastSeenReason: Type.Optional(NonEmptyString),
  approvedAtMs: Type.Optional(Timestamp),
  paired: Type.Boolean(),
  connected: Type.Boolean(),
};

export const NodeRow = strictObject(row);
export type NodeRow = Static<typeof NodeRow>;

export const nodeList = method({
  name: "node.list",
  scope: "operator.read",
  params: strictObject({}),
  result: strictObject({ ts: Timestamp, nodes: Type.Array(NodeRow) }),
});

export const nodeDescribe = method({
  name: "node.describe",
  scope: "operator.read",
  params: strictObject({ nodeId: NonEmptyString }),
  result: strictObject({ ts: Timestamp, ...row }),
});

export const nodeRename = method({
  name: "node.rename",
  scope: "operator.pairing",
  idempotency: "optional",
  params: strictObject({
    nodeId: NonEmptyString,
    displayName: NonEmptyString,
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({ nodeId: NonEmptyString, displayName: NonEmptyString }),
});

export const nodeEvent = method({
  name: "node.event",
  scope: NODE_SCOPE,
  params: strictObject({
    event: NonEmptyString,
    payload: Type.Optional(Type.Unknown()),
    payloadJSON: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  result: strictObject({
    ok: Type.Boolean(),
    event: NonEmptyString,
    /** False when nothing here has a use for such an event. */
    handled: Type.Boolean(),
    reason: Type.Optional(NonEmptyString),
  }),
});

/** When a person last used the machine the node runs on; null once that is no longer known. */
export const nodePresenceChanged = event({
  name: "node.presence",
  scope: "operator.read",
  payload: strictObject({
    nodeId: NonEmptyString,
    lastActiveAtMs: Type.Union([Timestamp, Type.Null()]),
    presenceUpdatedAtMs: Type.Union([Timestamp, Type.Null()]),
  }),
});
