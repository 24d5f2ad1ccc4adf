import { accept } from "@atrium/core";
import { health, lastHeartbeat, status, systemEcho, systemPresence } from "@atrium/wire/gateway";
import { on, type Method } from "../../room.ts";
import type { Presence } from "../presence.ts";
import type { Reports } from "../reports.ts";

export interface SystemDeps {
  readonly reports: Reports;
  readonly presence: Pick<Presence, "list">;
}

export function systemMethods({ reports, presence }: SystemDeps): readonly Method[] {
  return [
    on(health, () => accept(reports.healthText())),
    on(status, () => accept(reports.status())),
    on(systemEcho, ({ text }) => accept({ ok: true, text })),
    on(systemPresence, () => accept([...presence.list()])),
    // No agent sends heartbeats yet, so there is no last one.
    on(lastHeartbeat, () => accept(null)),
  ];
}
