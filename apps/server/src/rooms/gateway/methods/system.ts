import { accept, type Heartbeats } from "@atrium/core";
import { health, lastHeartbeat, status, systemEcho, systemPresence } from "@atrium/wire/gateway";
import { serve, type GatewayMethod } from "../frames/peer.ts";
import { heartbeatRow } from "../rows/conversation-rows.ts";
import type { HealthReports } from "../state/health-reports.ts";
import type { Presence } from "../state/presence.ts";

export interface SystemDeps {
  readonly reports: HealthReports;
  readonly presence: Pick<Presence, "list">;
  readonly heartbeats: Pick<Heartbeats, "last">;
}

export function systemMethods(deps: SystemDeps): readonly GatewayMethod[] {
  const { reports, presence, heartbeats } = deps;
  return [
    serve(health, () => accept(reports.healthText())),
    serve(status, () => accept(reports.status())),
    serve(systemEcho, ({ text }) => accept({ ok: true, text })),
    serve(systemPresence, () => accept([...presence.list()])),
    serve(lastHeartbeat, () =>
      accept(heartbeats.last === null ? null : heartbeatRow(heartbeats.last)),
    ),
  ];
}
