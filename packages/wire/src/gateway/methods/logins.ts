/** Gateway wire: browsers that signed in with the shared token. Ours; the peer has none. */
import { Type } from "@atrium/schema";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { NonEmptyString, Timestamp, strictObject } from "../../scalars.ts";

const PAIRING = "operator.pairing";
const once = { idempotencyKey: Type.Optional(IdempotencyKey) };

export const BrowserLogin = strictObject({
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
});

export const loginsList = method({
  name: "logins.list",
  scope: PAIRING,
  params: strictObject({}),
  result: strictObject({ logins: Type.Array(BrowserLogin) }),
});

export const loginsRename = method({
  name: "logins.rename",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({
    id: NonEmptyString,
    name: Type.String({ minLength: 1, maxLength: 80 }),
    ...once,
  }),
  result: strictObject({ id: NonEmptyString, name: NonEmptyString }),
});

/** Lets one in that waits. */
export const loginsApprove = method({
  name: "logins.approve",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ id: NonEmptyString, ...once }),
  result: strictObject({ id: NonEmptyString }),
});

/** Its sockets are closed at once; one that waits is turned away. */
export const loginsRevoke = method({
  name: "logins.revoke",
  scope: PAIRING,
  idempotency: "optional",
  params: strictObject({ id: NonEmptyString, ...once }),
  result: strictObject({ id: NonEmptyString }),
});
