import { accept, type Heartbeats } from "@atrium/core";
import { health, lastHeartbeat, status, systemEcho, systemPresence } from "@atrium/wire/gateway";
import { implement, type Method } from "../../../pipeline/method-router.ts";
import { heartbeatRow } from "../rows/conversation-rows.ts";
import type { HealthReports } from "../state/health-reports.ts";
import type { Presence } from "../state/presence.ts";

export interface SystemDeps {
  readonly reports: HealthReports;
  readonly presence: Pick<Presence, "list">;
  readonly heartbeats: Pick<Heartbeats, "last">;
}

export function systemMethods(deps: SystemDeps): readonly Method[] {
  const { reports, presence, heartbeats } = deps;
  return [
    implement(health, () => accept(reports.healthText())),
    implement(status, () => accept(reports.status())),
    implement(systemEcho, ({ text }) => accept({ ok: true, text })),
    implement(systemPresence, () => accept([...presence.list()])),
    implement(lastHeartbeat, () =>
      accept(heartbeats.last === null ? null : heartbeatRow(heartbeats.last)),
    ),
  ];
}
