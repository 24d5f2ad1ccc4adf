/** A permission as the gateway asks for it: all of it, and the verdicts once its end was in sight. */
import type { AlwaysScope, PermissionSubject } from "@atrium/wire";
import type { ApprovalDecision } from "@atrium/wire/gateway";
import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { PermissionAnswers } from "./permission-answers.tsx";
import { moreOf } from "./permission-parts.ts";
import { PermissionView } from "./permission-view.tsx";

export type Decide = (decision: ApprovalDecision, scope?: AlwaysScope) => void;

interface GatewayPermissionProps {
  readonly permission: PermissionSubject;
  /** What would be done, whole. */
  readonly text: string;
  readonly agent: string;
  readonly canAct: boolean;
  readonly onDecide: Decide;
}

const DECISIONS = { allow: "allow-once", always: "allow-always", deny: "deny" } as const;

export function GatewayPermission(props: GatewayPermissionProps): ReactNode {
  const { permission, text, agent, canAct, onDecide } = props;
  const words = useTexts().permission;
  const { tool, cwd = words.noFolder, host, node_id: node = words.thisHost } = permission;
  const facts = [
    { label: words.agent, value: agent },
    { label: words.tool, value: tool },
    { label: words.folder, value: cwd },
    { label: words.host, value: host ?? node },
  ].filter(({ value }) => value !== "");
  return (
    <PermissionView facts={facts} text={text} more={moreOf(permission, words)}>
      {(isSeen) =>
        isSeen && (
          <PermissionAnswers
            isDisabled={!canAct}
            scopes={permission.may_always ? permission.always_scopes : []}
            onAnswer={(verdict, _note, scope) => onDecide(DECISIONS[verdict], scope)}
          />
        )
      }
    </PermissionView>
  );
}
