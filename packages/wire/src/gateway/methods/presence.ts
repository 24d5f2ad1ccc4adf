/** Gateway wire: who is connected. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, strictObject } from "../../scalars.ts";

export const PresenceEntry = strictObject({
  host: Type.Optional(NonEmptyString),
  ip: Type.Optional(NonEmptyString),
  version: Type.Optional(NonEmptyString),
  platform: Type.Optional(NonEmptyString),
  deviceFamily: Type.Optional(NonEmptyString),
  modelIdentifier: Type.Optional(NonEmptyString),
  mode: Type.Optional(NonEmptyString),
  reason: Type.Optional(NonEmptyString),
  text: Type.Optional(Type.String()),
  ts: Timestamp,
  deviceId: Type.Optional(NonEmptyString),
  roles: Type.Optional(Type.Array(NonEmptyString)),
  scopes: Type.Optional(Type.Array(NonEmptyString)),
  instanceId: Type.Optional(NonEmptyString),
});
export type PresenceEntry = Static<typeof PresenceEntry>;

export const systemPresence = method({
  name: "system-presence",
  scope: "operator.read",
  params: strictObject({}),
  result: Type.Array(PresenceEntry),
});

export const presenceChanged = event({
  name: "presence",
  scope: "operator.read",
  payload: strictObject({ presence: Type.Array(PresenceEntry) }),
});
