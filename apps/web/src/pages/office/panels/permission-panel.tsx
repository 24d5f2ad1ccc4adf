/** A permission that is asked for in the office: all of it, and the answer once it was read. */
import type { AlwaysScope, PermissionSubject } from "@atrium/wire";
import type { WorldDecision } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { useCanAct, useApp, useOffice, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { PermissionAnswers } from "../../../ui/permission/permission-answers.tsx";
import { moreOf, type PermissionFact } from "../../../ui/permission/permission-parts.ts";
import { PermissionView } from "../../../ui/permission/permission-view.tsx";
import { useRead } from "../../../ui/use-read.ts";
import type { WholePermission } from "../../../world/world-http.ts";
import { permissionSeen, useSee } from "../attention/seen.ts";
import { namesIn } from "../text/event-text.ts";

export function PermissionPanel({ decision }: { readonly decision: WorldDecision }): ReactNode {
  const words = useTexts();
  const { permission } = decision;
  const long = useLong(permission?.is_whole === false ? permission.read_at : undefined);
  if (permission?.is_whole === false && long === undefined) {
    return <p className="hint">{words.reviewLoading}</p>;
  }
  const shown = long?.permission ?? permission;
  return (
    <Whole key={String(shown?.size)} decision={decision} permission={shown} receipt={long?.seen} />
  );
}

interface WholeProps {
  readonly decision: WorldDecision;
  /** Undefined once it was decided: then the words it was asked in are what is left. */
  readonly permission: PermissionSubject | undefined;
  readonly receipt: string | undefined;
}

function Whole({ decision, permission, receipt }: WholeProps): ReactNode {
  const words = useTexts().permission;
  const see = useSee();
  const act = useSendCommand();
  const canAct = useCanAct();
  const facts = useFacts(decision, permission);
  const { decision_id, options, status, prompt } = decision;
  const answer = (choice: string, note: string, scope?: AlwaysScope): void => {
    const more = {
      ...(note !== "" && { note }),
      ...(scope && { scope }),
      ...(receipt && { seen: receipt }),
    };
    void act({ name: "resolve_decision", data: { decision_id, choice, ...more } });
  };
  return (
    <PermissionView
      facts={facts}
      text={permission?.input ?? prompt}
      more={moreOf(permission, words)}
      onSeen={() => see(permissionSeen(decision_id), receipt)}
    >
      {(isSeen) =>
        isSeen && status === "open" ? (
          <PermissionAnswers
            isDisabled={!canAct}
            scopes={permission?.may_always === false ? [] : scopesOf(options, permission)}
            hasKeys
            takesNote
            onAnswer={(verdict, note, scope) => answer(CHOICES[verdict], note, scope)}
          />
        ) : null
      }
    </PermissionView>
  );
}

/** As the protocol names them. */
const CHOICES = { allow: "Allow", always: "Always allow", deny: "Deny" } as const;

function scopesOf(
  options: readonly string[],
  permission: PermissionSubject | undefined,
): readonly AlwaysScope[] {
  if (permission !== undefined) return permission.always_scopes;
  return options.includes(CHOICES.always) ? ["conversation"] : [];
}

function useFacts(
  { agent_id, task_id, project_id, session_key }: WorldDecision,
  permission: PermissionSubject | undefined,
): readonly PermissionFact[] {
  const words = useTexts().permission;
  const names = useOffice(({ snapshot }) => snapshot);
  const { agent, task, project } = namesIn(names);
  const title =
    names?.projects.find((each) => each.project_id === project_id) && project(project_id);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.agent, agent(agent_id ?? permission?.agent_id)],
    [words.tool, permission?.tool],
    [words.task, task(task_id)],
    [words.project, title],
    [words.conversation, task_id === undefined ? session_key : undefined],
    [words.folder, permission && (permission.cwd ?? words.noFolder)],
    [words.host, permission && (permission.host ?? permission.node_id ?? words.thisHost)],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

/** What is too long to be sent with everything else. */
function useLong(path: string | undefined): WholePermission | undefined {
  const { http } = useApp();
  return useRead(path, () => http.readPermission(path ?? "")) ?? undefined;
}
