/** Gateway wire: devices that are let in, ask to be, or no longer are. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, strictObject, literals } from "../../scalars.ts";

const PAIRING = "operator.pairing";
const once = { idempotencyKey: Type.Optional(IdempotencyKey) };
const names = Type.Array(NonEmptyString);

const identity = {
  deviceId: NonEmptyString,
  publicKey: NonEmptyString,
  displayName: Type.Optional(NonEmptyString),
  platform: Type.Optional(NonEmptyString),
  clientId: Type.Optional(NonEmptyString),
  clientMode: Type.Optional(NonEmptyString),
  role: Type.Optional(NonEmptyString),
  roles: names,
  scopes: names,
};

export const DevicePairingRequest = strictObject({
  requestId: NonEmptyString,
  ...identity,
  remoteIp: Type.Optional(NonEmptyString),
  silent: Type.Boolean(),
  /** True when the device is paired and asks for more. */
  isRepair: Type.Boolean(),
  ts: Timestamp,
});
export type DevicePairingRequest = Static<typeof DevicePairingRequest>;

/** Tokens are listed by what they give; what they are is never told. */
export const DevicePairing = strictObject({
  ...identity,
  approvedVia: NonEmptyString,
  createdAtMs: Timestamp,
  approvedAtMs: Timestamp,
  connected: Type.Boolean(),
  tokens: Type.Array(
    strictObject({
      role: NonEmptyString,
      scopes: names,
      createdAtMs: Timestamp,
      rotatedAtMs: Type.Optional(Timestamp),
      revokedAtMs: Type.Optional(Timestamp),
    }),
  ),
});
export type DevicePairing = Static<typeof DevicePairing>;

export const devicePairList = method({
  name: "device.pair.list",
  scope: PAIRING,
  params: strictObject({}),
  result: strictObject({
    pending: Type.Array(DevicePairingRequest),
    paired: Type.Array(DevicePairing),
  }),
});

export const devicePairApprove = method({
  name: "device.pair.approve",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ requestId: NonEmptyString, ...once }),
  result: strictObject({ requestId: NonEmptyString, device: DevicePairing }),
});

export const devicePairReject = method({
  name: "device.pair.reject",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ requestId: NonEmptyString, ...once }),
  result: strictObject({ requestId: NonEmptyString, deviceId: NonEmptyString }),
});

export const devicePairRemove = method({
  name: "device.pair.remove",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ deviceId: NonEmptyString, ...once }),
  result: strictObject({ deviceId: NonEmptyString }),
});

export const devicePairRequested = event({
  name: "device.pair.requested",
  scope: PAIRING,
  payload: DevicePairingRequest,
});

export const devicePairResolved = event({
  name: "device.pair.resolved",
  scope: PAIRING,
  payload: strictObject({
    /** `silent` when the device was let in without a question, `removed` when it was put out. */
    requestId: NonEmptyString,
    deviceId: NonEmptyString,
    decision: literals("approved", "rejected", "expired", "removed"),
    ts: Timestamp,
  }),
});
