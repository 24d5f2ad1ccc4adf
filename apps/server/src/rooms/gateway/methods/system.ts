import { accept, type Heartbeats } from "@atrium/core";
import { health, lastHeartbeat, status, systemEcho, systemPresence } from "@atrium/wire/gateway";
import { on, type Method } from "../../room.ts";
import type { Presence } from "../presence.ts";
import type { Reports } from "../reports.ts";
import { heartbeatRow } from "../rows.ts";

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
