/**
 * Gateway wire: what was always allowed. In the peer's shape as a file of its own, of which entries can only be taken
 * out; and in ours, with all of what each covers, who gave it, by which credential and from where.
 */
import { Type, type Static } from "@atrium/schema";
import { method } from "../../method.ts";
import { AlwaysScope } from "../../permission.ts";
import { NonEmptyString, Timestamp, strictObject } from "../../scalars.ts";

const AllowlistEntry = strictObject({
  id: NonEmptyString,
  /** Exactly what is allowed: there is nothing in it that stands for something else. */
  pattern: NonEmptyString,
  source: Type.Literal("allow-always"),
  commandText: NonEmptyString,
});

export const ExecApprovalDefaults = strictObject({
  security: Type.Literal("allowlist"),
  ask: Type.Literal("on-miss"),
  askFallback: Type.Literal("deny"),
  autoAllowSkills: Type.Literal(false),
});

const ApprovalsFile = strictObject({
  path: NonEmptyString,
  exists: Type.Literal(true),
  hash: NonEmptyString,
  file: strictObject({
    version: Type.Literal(1),
    defaults: ExecApprovalDefaults,
    agents: Type.Record(Type.String(), strictObject({ allowlist: Type.Array(AllowlistEntry) })),
  }),
  resolvedDefaults: ExecApprovalDefaults,
});

/** What was always allowed, and what happens to the rest: someone is asked, and no answer is a no. */
export const execApprovalsGet = method({
  name: "exec.approvals.get",
  scope: "operator.admin",
  params: strictObject({}),
  result: ApprovalsFile,
});

/** The peer's whole file, in which only what is left out means something: it is taken back. */
const ForeignAgent = Type.Object({
  allowlist: Type.Optional(
    Type.Array(Type.Object({ id: Type.Optional(NonEmptyString), pattern: Type.String() })),
  ),
});

export const execApprovalsSet = method({
  name: "exec.approvals.set",
  scope: "operator.admin",
  params: strictObject({
    file: Type.Object({
      version: Type.Literal(1),
      defaults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      agents: Type.Optional(Type.Record(Type.String(), ForeignAgent)),
    }),
    /** Of what was changed; when it has changed meanwhile, nothing happens. */
    baseHash: Type.Optional(NonEmptyString),
  }),
  result: ApprovalsFile,
});

export const ApprovalRule = strictObject({
  /** Of the permission it was given with. */
  id: NonEmptyString,
  /** Left out: void, because it covered more than was read. */
  scope: Type.Optional(AlwaysScope),
  tool: NonEmptyString,
  /** All of what is allowed, with what cannot be seen written out. */
  input: Type.String(),
  cwd: Type.Optional(Type.String()),
  host: Type.Optional(Type.String()),
  nodeId: Type.Optional(NonEmptyString),
  agentId: Type.Optional(NonEmptyString),
  sessionKey: Type.Optional(NonEmptyString),
  projectId: Type.Optional(NonEmptyString),
  /** Of a void one: what it used to cover. */
  pattern: Type.Optional(Type.String()),
  by: NonEmptyString,
  /** By which credential, and from where, where that was kept. */
  byOrigin: Type.Optional(NonEmptyString),
  createdAtMs: Timestamp,
});
export type ApprovalRule = Static<typeof ApprovalRule>;

export const execApprovalRulesList = method({
  name: "exec.approval.rules.list",
  scope: "operator.approvals",
  params: strictObject({}),
  result: strictObject({ rules: Type.Array(ApprovalRule) }),
});

export const execApprovalRulesRevoke = method({
  name: "exec.approval.rules.revoke",
  scope: "operator.approvals",
  params: strictObject({ id: NonEmptyString }),
  result: strictObject({ ok: Type.Literal(true) }),
});
