/**
 * Gateway wire: a command for a node, from who asks to who runs it and back.
 *
 *   operator --node.invoke--> server --node.invoke.request--> node
 *   operator <----answer----- server <--node.invoke.result--- node
 */
import { Type } from "@atrium/schema";
import { event } from "../../event.ts";
import { IdempotencyKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { Count, NonEmptyString, strictObject } from "../../scalars.ts";
import { NODE_SCOPE } from "../../scopes.ts";

export const nodeInvoke = method({
  name: "node.invoke",
  scope: "operator.write",
  idempotency: "required",
  params: strictObject({
    nodeId: NonEmptyString,
    command: NonEmptyString,
    params: Type.Optional(Type.Unknown()),
    /** Zero waits as long as anyone may. */
    timeoutMs: Type.Optional(Count),
    idempotencyKey: IdempotencyKey,
    /** The conversation it is for: the answer is erased with it. */
    sessionKey: Type.Optional(NonEmptyString),
    /** Where the wish came from. Taken, because clients say it; nothing depends on it. */
    turnSourceChannel: Type.Optional(Type.String()),
    turnSourceTo: Type.Optional(Type.String()),
    turnSourceAccountId: Type.Optional(Type.String()),
    turnSourceThreadId: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  }),
  result: strictObject({
    ok: Type.Boolean(),
    nodeId: NonEmptyString,
    command: NonEmptyString,
    payload: Type.Optional(Type.Unknown()),
    /** As the node wrote it, if it did. */
    payloadJSON: Type.Union([Type.String(), Type.Null()]),
  }),
});

export const nodeInvokeRequest = event({
  name: "node.invoke.request",
  scope: NODE_SCOPE,
  payload: strictObject({
    id: NonEmptyString,
    nodeId: NonEmptyString,
    command: NonEmptyString,
    paramsJSON: Type.Optional(Type.String()),
    timeoutMs: Type.Optional(Count),
    idempotencyKey: Type.Optional(NonEmptyString),
  }),
});

export const nodeInvokeCancel = event({
  name: "node.invoke.cancel",
  scope: NODE_SCOPE,
  payload: strictObject({ invokeId: NonEmptyString, nodeId: NonEmptyString }),
});

export const nodeInvokeResult = method({
  name: "node.invoke.result",
  scope: NODE_SCOPE,
  idempotency: "optional",
  params: strictObject({
    id: NonEmptyString,
    nodeId: NonEmptyString,
    ok: Type.Boolean(),
    payload: Type.Optional(Type.Unknown()),
    payloadJSON: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    error: Type.Optional(
      Type.Union([
        strictObject({
          code: Type.Optional(NonEmptyString),
          message: Type.Optional(NonEmptyString),
        }),
        Type.Null(),
      ]),
    ),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({
    ok: Type.Boolean(),
    /** True when it came too late: the invocation had ended. */
    ignored: Type.Optional(Type.Boolean()),
  }),
});

export const nodeInvokeProgress = method({
  name: "node.invoke.progress",
  scope: NODE_SCOPE,
  params: strictObject({
    invokeId: NonEmptyString,
    nodeId: NonEmptyString,
    seq: Count,
    chunk: Type.String({ maxLength: 16_384 }),
  }),
  result: strictObject({ ok: Type.Boolean(), ignored: Type.Boolean() }),
});
