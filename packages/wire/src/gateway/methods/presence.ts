/** Gateway wire: who is connected. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../../event.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, closed } from "../../scalars.ts";

export const PresenceEntry = Type.Object(
  {
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
  },
  closed,
);
export type PresenceEntry = Static<typeof PresenceEntry>;

export const systemPresence = method({
  name: "system-presence",
  scope: "operator.read",
  params: Type.Object({}, closed),
  result: Type.Array(PresenceEntry),
});

export const presenceChanged = event({
  name: "presence",
  scope: "operator.read",
  payload: Type.Object({ presence: Type.Array(PresenceEntry) }, closed),
});
