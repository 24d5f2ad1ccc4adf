/** Gateway wire: the tokens of paired devices, one per role. */
import { Type } from "@atrium/schema";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, strictObject } from "../../scalars.ts";

const PAIRING = "operator.pairing";
const names = Type.Array(NonEmptyString);
const token = { deviceId: NonEmptyString, role: NonEmptyString };
const once = { idempotencyKey: Type.Optional(IdempotencyKey) };

/** The last token is void at once. The new one is told to its own device only; others fetch theirs by connecting. */
export const deviceTokenRotate = method({
  name: "device.token.rotate",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ ...token, scopes: Type.Optional(names), ...once }),
  result: strictObject({
    ...token,
    token: Type.Optional(NonEmptyString),
    scopes: names,
    rotatedAtMs: Timestamp,
    tokenDelivery: Type.Union([Type.Literal("in-band"), Type.Literal("withheld-cross-device")]),
  }),
});

export const deviceTokenRevoke = method({
  name: "device.token.revoke",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ ...token, ...once }),
  result: strictObject({ ...token, revokedAtMs: Timestamp }),
});
