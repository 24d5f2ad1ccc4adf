import { accept, type Heartbeats } from "@atrium/core";
import { health, lastHeartbeat, status, systemEcho, systemPresence } from "@atrium/wire/gateway";
import { on, type Method } from "../../../pipeline/method-router.ts";
import { heartbeatRow } from "../rows/conversation-rows.ts";
import type { Reports } from "../state/health-reports.ts";
import type { Presence } from "../state/presence.ts";

export interface SystemDeps {
  readonly reports: Reports;
  readonly presence: Pick<Presence, "list">;
  readonly heartbeats: Pick<Heartbeats, "last">;
}

export function systemMethods(deps: SystemDeps): readonly Method[] {
  const { reports, presence, heartbeats } = deps;
  return [
    on(health, () => accept(reports.healthText())),
    on(status, () => accept(reports.status())),
    on(systemEcho, ({ text }) => accept({ ok: true, text })),
    on(systemPresence, () => accept([...presence.list()])),
    on(lastHeartbeat, () =>
      accept(heartbeats.last === null ? null : heartbeatRow(heartbeats.last)),
    ),
  ];
}
