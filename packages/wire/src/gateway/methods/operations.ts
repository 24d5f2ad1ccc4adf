/** Gateway wire: looking after the server: its journal, its settings, its schedule, a nudge. */
import { Type } from "@atrium/schema";
import { IdempotencyKey, SessionKey } from "../../ids.ts";
import { method } from "../../method.ts";
import { Count, NonEmptyString, strictObject } from "../../scalars.ts";

/** Tells an agent something that no person said. */
export const wake = method({
  name: "wake",
  scope: "operator.write",
  idempotency: "optional",
  params: strictObject({
    /** `now` has the agent answer it; otherwise it is there for whatever turn comes next. */
    mode: Type.Union([Type.Literal("now"), Type.Literal("next-heartbeat")]),
    text: NonEmptyString,
    sessionKey: Type.Optional(SessionKey),
    agentId: Type.Optional(NonEmptyString),
    idempotencyKey: Type.Optional(IdempotencyKey),
  }),
  result: strictObject({ ok: Type.Literal(true) }),
});

export const logsTail = method({
  name: "logs.tail",
  scope: "operator.read",
  params: strictObject({
    /** Where the last answer ended. */
    cursor: Type.Optional(Count),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000 })),
    maxBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  }),
  result: strictObject({
    file: NonEmptyString,
    cursor: Count,
    size: Count,
    lines: Type.Array(Type.String()),
    /** Older lines were left out. */
    truncated: Type.Boolean(),
    /** The cursor was of no use: the file is new, or too much has been written since. */
    reset: Type.Boolean(),
    skippedBytes: Type.Optional(Count),
  }),
});

const Settings = Type.Record(Type.String(), Type.Unknown());
const Issues = Type.Array(Type.Never());

/** The settings in effect, without secrets. The peer's many views of them are one and the same here. */
export const configGet = method({
  name: "config.get",
  scope: "operator.read",
  params: strictObject({}),
  result: strictObject({
    path: NonEmptyString,
    exists: Type.Boolean(),
    valid: Type.Literal(true),
    raw: Type.Null(),
    parsed: Settings,
    sourceConfig: Settings,
    resolved: Settings,
    runtimeConfig: Settings,
    config: Settings,
    hash: NonEmptyString,
    configRevisionHash: NonEmptyString,
    appliedConfigHash: NonEmptyString,
    issues: Issues,
    warnings: Issues,
    legacyIssues: Issues,
  }),
});

const oneOf = (...names: readonly string[]) =>
  Type.Optional(Type.Union(names.map((name) => Type.Literal(name))));

/** There is no schedule, so nothing is on it. */
export const cronList = method({
  name: "cron.list",
  scope: "operator.read",
  params: strictObject({
    includeDisabled: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    offset: Type.Optional(Count),
    query: Type.Optional(Type.String()),
    enabled: oneOf("all", "enabled", "disabled"),
    scheduleKind: oneOf("all", "at", "every", "cron", "on-exit", "stream"),
    lastRunStatus: oneOf("all", "ok", "error", "skipped", "unknown"),
    trigger: oneOf("all", "conditional", "unconditional"),
    sortBy: oneOf("nextRunAtMs", "updatedAtMs", "name"),
    sortDir: oneOf("asc", "desc"),
    agentId: Type.Optional(NonEmptyString),
    compact: Type.Optional(Type.Boolean()),
    includeDeliveryPreviews: Type.Optional(Type.Boolean()),
  }),
  result: strictObject({
    jobs: Type.Array(Type.Never()),
    /** Changes with the list; the peer's command line takes no page without it. */
    snapshotRevision: NonEmptyString,
    total: Count,
    offset: Count,
    limit: Count,
    hasMore: Type.Literal(false),
    nextOffset: Type.Null(),
  }),
});

export const cronRuns = method({
  name: "cron.runs",
  scope: "operator.read",
  params: strictObject({
    agentId: Type.Optional(NonEmptyString),
    scope: oneOf("job", "all"),
    id: Type.Optional(NonEmptyString),
    jobId: Type.Optional(NonEmptyString),
    runId: Type.Optional(NonEmptyString),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    offset: Type.Optional(Count),
    statuses: Type.Optional(Type.Array(NonEmptyString)),
    status: oneOf("all", "ok", "error", "skipped"),
    deliveryStatuses: Type.Optional(Type.Array(NonEmptyString)),
    deliveryStatus: Type.Optional(NonEmptyString),
    query: Type.Optional(Type.String()),
    sortDir: oneOf("asc", "desc"),
  }),
  result: strictObject({
    entries: Type.Array(Type.Never()),
    total: Count,
    offset: Count,
    limit: Count,
    hasMore: Type.Literal(false),
    nextOffset: Type.Null(),
  }),
});

/** Always refused, in words that say why: an unknown method would leave people guessing. */
export const cronAdd = method({
  name: "cron.add",
  scope: "operator.admin",
  advertised: false,
  params: Type.Record(Type.String(), Type.Unknown()),
  result: strictObject({}),
});

export const cronStatus = method({
  name: "cron.status",
  scope: "operator.read",
  params: strictObject({}),
  result: strictObject({
    enabled: Type.Literal(false),
    triggersEnabled: Type.Literal(false),
    storePath: NonEmptyString,
    jobs: Count,
    nextWakeAtMs: Type.Null(),
  }),
});
