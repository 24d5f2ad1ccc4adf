/** Gateway wire: browsers that signed in with the shared token. Ours; the peer has none. */
import { Type } from "@atrium/schema";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, closed } from "../../scalars.ts";

const PAIRING = "operator.pairing";
const once = { idempotencyKey: Type.Optional(IdempotencyKey) };

export const BrowserLogin = Type.Object(
  {
    id: NonEmptyString,
    name: Type.String(),
    userAgent: Type.String(),
    /** Where it was last seen. */
    address: Type.String(),
    createdAtMs: Timestamp,
    lastSeenAtMs: Timestamp,
    expiresAtMs: Timestamp,
    /** Whoever asks came in by it. */
    isCurrent: Type.Boolean(),
    /** It signed in from another machine and opens nothing until it is let in. */
    isWaiting: Type.Boolean(),
  },
  closed,
);

export const loginsList = method({
  name: "logins.list",
  scope: PAIRING,
  params: Type.Object({}, closed),
  result: Type.Object({ logins: Type.Array(BrowserLogin) }, closed),
});

export const loginsRename = method({
  name: "logins.rename",
  scope: PAIRING,
  idempotency: "optional",
  params: Type.Object(
    { id: NonEmptyString, name: Type.String({ minLength: 1, maxLength: 80 }), ...once },
    closed,
  ),
  result: Type.Object({ id: NonEmptyString, name: NonEmptyString }, closed),
});

/** Lets one in that waits. */
export const loginsApprove = method({
  name: "logins.approve",
  scope: PAIRING,
  idempotency: "optional",
  params: Type.Object({ id: NonEmptyString, ...once }, closed),
  result: Type.Object({ id: NonEmptyString }, closed),
});

/** Its sockets are closed at once; one that waits is turned away. */
export const loginsRevoke = method({
  name: "logins.revoke",
  scope: PAIRING,
  idempotency: "optional",
  params: Type.Object({ id: NonEmptyString, ...once }, closed),
  result: Type.Object({ id: NonEmptyString }, closed),
});
