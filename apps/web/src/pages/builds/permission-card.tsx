/**
 * What a build's agent asks to be allowed, all of it, and the buttons that decide. Nothing can be allowed that is not
 * all on the page.
 */
import type { PermissionSubject } from "@atrium/wire";
import { useEffect, useState, type ReactNode } from "react";
import type { Gateway } from "../../gateway/use-gateway.ts";
import { useHouse, useWords } from "../../shell/house.ts";
import type { PermissionAsked } from "./build-story.ts";
import type { BuildsHttp } from "./builds-http.ts";
import { useBroughtIntoView } from "./use-brought-into-view.ts";

export interface PermissionCardsProps {
  readonly permissions: readonly PermissionAsked[];
  readonly agent: string;
  readonly http: BuildsHttp;
  /** Of the page, because it is still waiting for the answer when the card is gone. */
  readonly gateway: Gateway;
}

type Decision = "allow-once" | "deny";

export function PermissionCards(props: PermissionCardsProps): ReactNode {
  const { permissions, agent, http, gateway } = props;
  const words = useWords().builds;
  const { notices } = useHouse();
  const { client, state } = gateway;
  const decide = (id: string, decision: Decision): void => {
    client?.call("exec.approval.resolve", { id, decision }).catch((error: unknown) => {
      notices.say(words.refused(error instanceof Error ? error.message : String(error)), "refused");
    });
  };
  return permissions.map((asked) => (
    <PermissionCard
      key={asked.permission_id}
      asked={asked}
      agent={agent}
      http={http}
      canAct={state.state === "ready"}
      onDecide={(decision) => decide(asked.permission_id, decision)}
    />
  ));
}

interface PermissionCardProps {
  readonly asked: PermissionAsked;
  readonly agent: string;
  readonly http: BuildsHttp;
  readonly canAct: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function PermissionCard({ asked, agent, http, canAct, onDecide }: PermissionCardProps): ReactNode {
  const words = useWords().builds;
  const permission = useWholePermission(asked.permission, http);
  const ref = useBroughtIntoView<HTMLElement>();
  return (
    <section ref={ref} className="build-permission" aria-label={words.permissionTitle}>
      <h2>{words.permissionTitle}</h2>
      <PermissionText permission={permission} agent={agent} />
      {!permission.is_whole && <p className="hint">{words.permissionLoading}</p>}
      <div className="row">
        <button
          type="button"
          className="button is-primary"
          disabled={!canAct || !permission.is_whole}
          onClick={() => onDecide("allow-once")}
        >
          {words.allow}
        </button>
        <button
          type="button"
          className="button is-danger"
          disabled={!canAct}
          onClick={() => onDecide("deny")}
        >
          {words.deny}
        </button>
        <span className="hint">{words.permissionCode(asked.code)}</span>
      </div>
    </section>
  );
}

/** Read by itself where it did not come whole. */
function useWholePermission(permission: PermissionSubject, http: BuildsHttp): PermissionSubject {
  const [whole, setWhole] = useState<PermissionSubject>();
  const { read_at: path } = permission;
  useEffect(() => {
    if (path === undefined) return undefined;
    let isWanted = true;
    const read = async (): Promise<void> => {
      const answer = await http.permission(path);
      if (isWanted && answer.ok) setWhole(answer.value.permission);
    };
    void read();
    return () => void (isWanted = false);
  }, [http, path]);
  return whole ?? permission;
}

interface PermissionTextProps {
  readonly permission: PermissionSubject;
  readonly agent: string;
}

function PermissionText({ permission, agent }: PermissionTextProps): ReactNode {
  const words = useWords().builds;
  const { tool, input, details, cwd, host, warning, writes = [] } = permission;
  const facts = [
    [words.permissionAgent, agent],
    [words.permissionTool, tool],
    ...(cwd === undefined ? [] : [[words.permissionFolder, cwd]]),
    [words.permissionHost, host ?? words.thisMachine],
  ] as const;
  return (
    <>
      <pre className="raw" tabIndex={0} aria-label={words.permissionWhole}>
        {input}
      </pre>
      <dl className="build-permission-facts">
        {facts.map(([name = "", value = ""]) => (
          <div key={name}>
            <dt className="hint">{name}</dt>
            <dd className="as-written">{value}</dd>
          </div>
        ))}
      </dl>
      {warning !== undefined && <p className="as-written">{warning}</p>}
      {details !== undefined && <pre className="raw">{details}</pre>}
      {writes.map(({ path, text }) => (
        <details key={path} open>
          <summary>{words.permissionWrites(path)}</summary>
          <pre className="raw">{text}</pre>
        </details>
      ))}
    </>
  );
}
