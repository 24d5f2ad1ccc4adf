/** What a build's agent asks to be allowed: all of it, and the answer once it was read. */
import type { AlwaysScope, PermissionSubject } from "@atrium/wire";
import type { ApprovalDecision } from "@atrium/wire/gateway";
import type { ReactNode } from "react";
import { useApp, useTexts } from "../../app/app.ts";
import { messageOf } from "../../app/feedback/error-text.ts";
import type { Gateway } from "../../app/use-gateway.ts";
import { Button } from "../../ui/controls.tsx";
import { GatewayPermission, type Decide } from "../../ui/permission/gateway-permission.tsx";
import { useRead } from "../../ui/use-read.ts";
import type { PermissionRequest } from "./build-story.ts";
import type { BuildsHttp } from "./builds-http.ts";
import { useBroughtIntoView } from "./use-brought-into-view.ts";

export interface PermissionCardsProps {
  readonly permissions: readonly PermissionRequest[];
  readonly agent: string;
  readonly http: BuildsHttp;
  /** Of the page, because it is still waiting for the answer when the card is gone. */
  readonly gateway: Gateway;
}

export function PermissionCards(props: PermissionCardsProps): ReactNode {
  const { permissions, agent, http, gateway } = props;
  const words = useTexts().builds;
  const { notices } = useApp();
  const { client, state } = gateway;
  const decide = (id: string, decision: ApprovalDecision, scope?: AlwaysScope): void => {
    const answer = { id, decision, ...(scope !== undefined && { scope }) };
    client?.call("exec.approval.resolve", answer).catch((error: unknown) => {
      notices.say(words.refused(messageOf(error)), "refused");
    });
  };
  return permissions.map((request) => (
    <PermissionCard
      key={request.permission_id}
      request={request}
      agent={agent}
      http={http}
      canAct={state.state === "ready"}
      onDecide={(decision, scope) => decide(request.permission_id, decision, scope)}
    />
  ));
}

interface PermissionCardProps {
  readonly request: PermissionRequest;
  readonly agent: string;
  readonly http: BuildsHttp;
  readonly canAct: boolean;
  readonly onDecide: Decide;
}

function PermissionCard({
  request,
  agent,
  http,
  canAct,
  onDecide,
}: PermissionCardProps): ReactNode {
  const words = useTexts();
  const { builds: own, permission: labels } = words;
  const permission = useWholePermission(request.permission, http);
  const ref = useBroughtIntoView<HTMLElement>();
  return (
    <section ref={ref} className="build-permission" aria-label={own.allowQuestion}>
      <h2>{own.allowQuestion}</h2>
      {permission.is_whole ? (
        <GatewayPermission
          permission={permission}
          text={permission.input}
          agent={agent}
          canAct={canAct}
          onDecide={onDecide}
        />
      ) : (
        <div className="row">
          <p className="hint" role="status">
            {own.permissionLoading}
          </p>
          <Button look="small danger" disabled={!canAct} onClick={() => onDecide("deny")}>
            {labels.deny}
          </Button>
        </div>
      )}
      <p className="hint">{own.permissionCode(request.code)}</p>
    </section>
  );
}

/** Read by itself where it did not come whole. */
function useWholePermission(permission: PermissionSubject, http: BuildsHttp): PermissionSubject {
  const { read_at: path } = permission;
  const whole = useRead(path, () => http.permission(path ?? ""));
  return whole?.ok === true ? whole.value.permission : permission;
}
