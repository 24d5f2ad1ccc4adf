/** Gateway wire: devices that are let in, ask to be, or no longer are. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, closed } from "../../scalars.ts";

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

export const DevicePairingRequest = Type.Object(
  {
    requestId: NonEmptyString,
    ...identity,
    remoteIp: Type.Optional(NonEmptyString),
    silent: Type.Boolean(),
    /** True when the device is paired and asks for more. */
    isRepair: Type.Boolean(),
    ts: Timestamp,
  },
  closed,
);
export type DevicePairingRequest = Static<typeof DevicePairingRequest>;

/** Tokens are listed by what they give; what they are is never told. */
export const DevicePairing = Type.Object(
  {
    ...identity,
    approvedVia: NonEmptyString,
    createdAtMs: Timestamp,
    approvedAtMs: Timestamp,
    connected: Type.Boolean(),
    tokens: Type.Array(
      Type.Object(
        {
          role: NonEmptyString,
          scopes: names,
          createdAtMs: Timestamp,
          rotatedAtMs: Type.Optional(Timestamp),
          revokedAtMs: Type.Optional(Timestamp),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type DevicePairing = Static<typeof DevicePairing>;

export const devicePairList = method({
  name: "device.pair.list",
  scope: PAIRING,
  params: Type.Object({}, closed),
  result: Type.Object(
    { pending: Type.Array(DevicePairingRequest), paired: Type.Array(DevicePairing) },
    closed,
  ),
});

export const devicePairApprove = method({
  name: "device.pair.approve",
  scope: PAIRING,
  idempotency: "optional",
  params: Type.Object({ requestId: NonEmptyString, ...once }, closed),
  result: Type.Object({ requestId: NonEmptyString, device: DevicePairing }, closed),
});

export const devicePairReject = method({
  name: "device.pair.reject",
  scope: PAIRING,
  idempotency: "optional",
  params: Type.Object({ requestId: NonEmptyString, ...once }, closed),
  result: Type.Object({ requestId: NonEmptyString, deviceId: NonEmptyString }, closed),
});

export const devicePairRemove = method({
  name: "device.pair.remove",
  scope: PAIRING,
  idempotency: "optional",
  params: Type.Object({ deviceId: NonEmptyString, ...once }, closed),
  result: Type.Object({ deviceId: NonEmptyString }, closed),
});

export const devicePairRequested = event({
  name: "device.pair.requested",
  scope: PAIRING,
  payload: DevicePairingRequest,
});

export const devicePairResolved = event({
  name: "device.pair.resolved",
  scope: PAIRING,
  payload: Type.Object(
    {
      /** `silent` when the device was let in without a question, `removed` when it was put out. */
      requestId: NonEmptyString,
      deviceId: NonEmptyString,
      decision: Type.Union([
        Type.Literal("approved"),
        Type.Literal("rejected"),
        Type.Literal("expired"),
        Type.Literal("removed"),
      ]),
      ts: Timestamp,
    },
    closed,
  ),
});
