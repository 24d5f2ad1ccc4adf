/** Standing permissions: listed with everything they cover, and revoked one by one or as a file. */
import { createHash } from "node:crypto";
import {
  accept,
  describeOrigin,
  refuse,
  wholeText,
  type Approvals,
  type ApprovalRule,
  type Outcome,
} from "@atrium/core";
import { visibleText, type ParamsOf, type ResultOf } from "@atrium/wire";
import {
  execApprovalRulesList,
  execApprovalRulesRevoke,
  execApprovalsGet,
  execApprovalsSet,
  type ApprovalRule as RuleOnWire,
} from "@atrium/wire/gateway";
import type { HumanInput } from "../../../human-input/human-input.ts";
import { answererOf } from "../frames/answerers.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import { commandOf } from "../rows/approval-rows.ts";

export interface StandingDeps {
  readonly approvals: Pick<Approvals, "rules">;
  readonly humanInput: Pick<HumanInput, "revokeRule">;
  readonly statePath: string;
}

/** What applies to everything that no standing permission covers. */
const REST = {
  security: "allowlist",
  ask: "on-miss",
  askFallback: "deny",
  autoAllowSkills: false,
} as const;

type FileParams = ParamsOf<typeof execApprovalsSet>;

export function standingPermissionMethods(deps: StandingDeps): readonly GatewayMethod[] {
  const { approvals, humanInput, statePath } = deps;
  const standing = (): readonly ApprovalRule[] =>
    approvals.rules().filter(({ scope }) => scope !== null);

  const file = (): ResultOf<typeof execApprovalsGet> => {
    const byAgent = Map.groupBy(standing(), ({ subject }) => subject.agent ?? "*");
    const agents = Object.fromEntries(
      [...byAgent].map(([agent, rules]) => [agent, { allowlist: rules.map(entryOf) }]),
    );
    return {
      path: statePath,
      exists: true,
      hash: createHash("sha256").update(JSON.stringify(agents)).digest("hex"),
      file: { version: 1, defaults: REST, agents },
      resolvedDefaults: REST,
    };
  };

  /** The ids that the file still contains; their rules must be unchanged. */
  function keptIn({ file: written, baseHash }: FileParams): Outcome<ReadonlySet<string>> {
    if (baseHash !== undefined && baseHash !== file().hash) {
      return refuse("params.invalid", "baseHash: the permissions have changed; get them again");
    }
    for (const [name, value] of Object.entries(written.defaults ?? {})) {
      if (!Object.entries(REST).some(([known, is]) => known === name && is === value)) {
        return refuse("approval.unfitting", `defaults.${name} cannot be set`);
      }
    }
    const known = new Map(standing().map((rule) => [rule.id, entryOf(rule).pattern]));
    const entries = Object.values(written.agents ?? {}).flatMap(({ allowlist = [] }) => allowlist);
    const added = entries.find(({ id, pattern }) => known.get(id ?? "") !== pattern);
    if (added !== undefined) return refuse("approval.unfitting", added.pattern);
    return accept(new Set(entries.flatMap(({ id }) => id ?? [])));
  }

  return [
    serve(execApprovalsGet, () => accept(file())),

    serve(execApprovalsSet, async (params, { caller }) => {
      const kept = keptIn(params);
      if (!kept.ok) return kept;
      for (const { id } of standing().filter((rule) => !kept.value.has(rule.id))) {
        const done = await humanInput.revokeRule(id, answererOf(caller.member));
        if (!done.ok) return done;
      }
      return accept(file());
    }),

    serve(execApprovalRulesList, () => accept({ rules: approvals.rules().map(ruleOnWire) })),

    serve(execApprovalRulesRevoke, async ({ id }, { caller }) => {
      const done = await humanInput.revokeRule(id, answererOf(caller.member));
      return done.ok ? accept({ ok: true }) : done;
    }),
  ];
}

type Entry = ResultOf<typeof execApprovalsGet>["file"]["agents"][string]["allowlist"][number];

function entryOf({ id, subject }: ApprovalRule): Entry {
  const pattern = commandOf(subject);
  return { id, pattern, source: "allow-always", commandText: `${subject.tool} ${pattern}` };
}

function ruleOnWire({ id, scope, subject, by, at, pattern }: ApprovalRule): RuleOnWire {
  const { cwd, host, nodeId, agent, conversationKey, projectId } = subject;
  const origin = describeOrigin(by);
  return {
    id,
    ...(scope !== null && { scope }),
    tool: visibleText(subject.tool),
    input: visibleText(wholeText(subject)),
    ...(cwd !== null && { cwd: visibleText(cwd) }),
    ...(host !== null && { host: visibleText(host) }),
    ...(nodeId !== null && { nodeId }),
    ...(agent !== null && { agentId: agent }),
    ...(conversationKey !== null && { sessionKey: conversationKey }),
    ...(projectId !== undefined && { projectId }),
    ...(pattern !== undefined && { pattern: visibleText(pattern) }),
    by: by.name === "" ? by.id : by.name,
    ...(origin !== "" && { byOrigin: origin }),
    createdAtMs: at,
  };
}
