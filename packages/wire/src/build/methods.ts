/** Build wire: what can be asked of build sessions, over HTTP and over the gateway alike. */
import { Type, type Static } from "@atrium/schema";
import { event } from "../event.ts";
import { IdempotencyKey } from "../ids.ts";
import { method } from "../method.ts";
import { AlwaysScope } from "../permission.ts";
import { RepositoryId } from "../repository.ts";
import { Count, NonEmptyString, Timestamp, strictObject, literals } from "../scalars.ts";
import {
  BuildAnswer,
  BuildCheckView,
  BuildEvent,
  BuildPermissionRequested,
  BuildQuestionRequested,
  BuildQuestionsRequested,
  BuildStepName,
} from "./events.ts";

const BuildId = Type.String({ minLength: 1, maxLength: 128 });
const key = { idempotencyKey: Type.Optional(IdempotencyKey) };

export const BuildStage = literals("working", "waiting", "completed", "failed", "cancelled");

export const BuildStepView = strictObject({
  step_id: BuildStepName,
  title: NonEmptyString,
  description: NonEmptyString,
  state: literals("pending", "active", "done", "skipped"),
});

export const BuildView = strictObject({
  id: BuildId,
  session_id: NonEmptyString,
  /** The conversation its turns are in. */
  session_key: NonEmptyString,
  agent: NonEmptyString,
  prompt: Type.String(),
  /** What it works on; left out: a repository of its own. */
  repository: Type.Optional(RepositoryId),
  stage: BuildStage,
  steps: Type.Array(BuildStepView),
  /** What people are awaited for: `question`, and each of `permissions`. Left out when they are not. */
  waits_for: Type.Optional(
    Type.Array(
      strictObject({
        kind: Type.Union([Type.Literal("question"), Type.Literal("permission")]),
        id: NonEmptyString,
      }),
    ),
  ),
  permissions: Type.Optional(Type.Array(BuildPermissionRequested.properties.payload)),
  /** What is to be answered next. */
  question: Type.Optional(
    Type.Union([
      BuildQuestionRequested.properties.payload,
      BuildQuestionsRequested.properties.payload,
    ]),
  ),
  /** How the checks of its repository ended the last time. */
  checks: Type.Optional(Type.Array(BuildCheckView)),
  output: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Of its newest event. */
  seq: Count,
  /** How many lines of the agent were set aside; `build.diagnosis` tells why. */
  rejected: Count,
});
export type BuildView = Static<typeof BuildView>;

const Done = strictObject({ id: BuildId, seq: Count });

export const buildStart = method({
  name: "build.start",
  scope: "operator.write",
  idempotency: "optional",
  params: strictObject({
    prompt: Type.String({ minLength: 1, maxLength: 20_000 }),
    /** Who builds; the front desk when nobody is named. */
    agent: Type.Optional(NonEmptyString),
    /** What to work on; left out: a repository of its own. */
    repository: Type.Optional(RepositoryId),
    ...key,
  }),
  result: strictObject({
    id: BuildId,
    session_id: NonEmptyString,
    session_key: NonEmptyString,
    seq: Count,
  }),
});

const MAX_LISTED = 200;

export const buildList = method({
  name: "build.list",
  scope: "operator.read",
  params: strictObject({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED })),
    /** The `next` of the page before. */
    cursor: Type.Optional(NonEmptyString),
  }),
  result: strictObject({ builds: Type.Array(BuildView), next: Type.Optional(NonEmptyString) }),
});

export const buildGet = method({
  name: "build.get",
  scope: "operator.read",
  params: strictObject({ id: BuildId }),
  result: strictObject({ build: BuildView }),
});

export const BuildFile = strictObject({
  file_id: NonEmptyString,
  name: NonEmptyString,
  media_type: NonEmptyString,
  bytes: Count,
  ts: Timestamp,
  /** Where its content is, on this server. */
  path: NonEmptyString,
});
export type BuildFile = Static<typeof BuildFile>;

/** What was delivered so far, oldest first; the newest under each name. */
export const buildFiles = method({
  name: "build.files",
  scope: "operator.read",
  params: strictObject({ id: BuildId }),
  result: strictObject({ files: Type.Array(BuildFile) }),
});

/** What people were told, after a seq, oldest first. */
export const buildEvents = method({
  name: "build.events",
  scope: "operator.read",
  params: strictObject({ id: BuildId, after: Type.Optional(Count) }),
  result: strictObject({ events: Type.Array(BuildEvent), has_more: Type.Boolean() }),
});

export const buildAnswer = method({
  name: "build.answer",
  scope: "operator.write",
  decides: true,
  idempotency: "optional",
  params: strictObject(
    /** What is left out, or has neither option nor text, is left blank. */ {
      id: BuildId,
      answers: Type.Array(BuildAnswer, { maxItems: 20 }),
      ...key,
    },
  ),
  result: Done,
});

/** Decides about something that the build's agent waits to be allowed. */
export const buildDecide = method({
  name: "build.decide",
  scope: "operator.approvals",
  decides: true,
  idempotency: "optional",
  params: strictObject({
    id: BuildId,
    permission: NonEmptyString,
    decision: Type.Enum(["allow-once", "allow-always", "deny"]),
    /** With `allow-always`: how far it reaches; left out, as short as can be. */
    scope: Type.Optional(AlwaysScope),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
    /** What reading a long one at its `read_at` gave: shows that it was read. */
    seen: Type.Optional(Type.String({ maxLength: 100 })),
    ...key,
  }),
  result: Done,
});

export const buildCancel = method({
  name: "build.cancel",
  scope: "operator.write",
  decides: true,
  idempotency: "optional",
  params: strictObject({ id: BuildId, ...key }),
  result: Done,
});

export const BuildOddity = strictObject({
  seq: Count,
  ts: Timestamp,
  /** Whether it was taken after a repair, or not at all. */
  fate: Type.Union([Type.Literal("repaired"), Type.Literal("rejected")]),
  why: NonEmptyString,
  text: Type.String(),
  run_id: Type.Optional(NonEmptyString),
  line: Type.Optional(Count),
});

/** Lines that were not as they should be; for whoever looks after the agents. */
export const buildDiagnosis = method({
  name: "build.diagnosis",
  scope: "operator.read",
  params: strictObject({ id: BuildId }),
  result: strictObject({ lines: Type.Array(BuildOddity) }),
});

export const buildChanged = event({ name: "build", scope: "operator.read", payload: BuildEvent });
