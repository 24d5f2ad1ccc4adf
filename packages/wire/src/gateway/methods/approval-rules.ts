/**
 * Gateway wire: what was always allowed. In the peer's shape as a file of its own, of which entries can only be taken
 * out; and in ours, with all of what each covers, who gave it, by which credential and from where.
 */
import { Type, type Static } from "@atrium/schema";
import { method } from "../../method.ts";
import { AlwaysScope } from "../../permission.ts";
import { NonEmptyString, Timestamp, closed } from "../../scalars.ts";

const AllowlistEntry = Type.Object(
  {
    id: NonEmptyString,
    /** Exactly what is allowed: there is nothing in it that stands for something else. */
    pattern: NonEmptyString,
    source: Type.Literal("allow-always"),
    commandText: NonEmptyString,
  },
  closed,
);

export const ExecApprovalDefaults = Type.Object(
  {
    security: Type.Literal("allowlist"),
    ask: Type.Literal("on-miss"),
    askFallback: Type.Literal("deny"),
    autoAllowSkills: Type.Literal(false),
  },
  closed,
);

const ApprovalsFile = Type.Object(
  {
    path: NonEmptyString,
    exists: Type.Literal(true),
    hash: NonEmptyString,
    file: Type.Object(
      {
        version: Type.Literal(1),
        defaults: ExecApprovalDefaults,
        agents: Type.Record(
          Type.String(),
          Type.Object({ allowlist: Type.Array(AllowlistEntry) }, closed),
        ),
      },
      closed,
    ),
    resolvedDefaults: ExecApprovalDefaults,
  },
  closed,
);

/** What was always allowed, and what happens to the rest: someone is asked, and no answer is a no. */
export const execApprovalsGet = method({
  name: "exec.approvals.get",
  scope: "operator.admin",
  params: Type.Object({}, closed),
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
  params: Type.Object(
    {
      file: Type.Object({
        version: Type.Literal(1),
        defaults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        agents: Type.Optional(Type.Record(Type.String(), ForeignAgent)),
      }),
      /** Of what was changed; when it has changed meanwhile, nothing happens. */
      baseHash: Type.Optional(NonEmptyString),
    },
    closed,
  ),
  result: ApprovalsFile,
});

export const ApprovalRule = Type.Object(
  {
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
  },
  closed,
);
export type ApprovalRule = Static<typeof ApprovalRule>;

export const execApprovalRulesList = method({
  name: "exec.approval.rules.list",
  scope: "operator.approvals",
  params: Type.Object({}, closed),
  result: Type.Object({ rules: Type.Array(ApprovalRule) }, closed),
});

export const execApprovalRulesRevoke = method({
  name: "exec.approval.rules.revoke",
  scope: "operator.approvals",
  params: Type.Object({ id: NonEmptyString }, closed),
  result: Type.Object({ ok: Type.Literal(true) }, closed),
});
