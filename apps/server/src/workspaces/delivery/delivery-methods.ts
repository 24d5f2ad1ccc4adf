/** Delivery, by git. */
import type { WorkspaceAccess } from "../access/access.ts";
import type { Deliveries } from "../port/delivery.ts";
import { readLine } from "../store/lines.ts";
import { deliver, type PersonPrograms } from "./deliver.ts";
import { exportLine } from "./export-line.ts";

export function createDeliveries(access: WorkspaceAccess, person: PersonPrograms): Deliveries {
  const { kit } = access;
  return {
    deliver: (repositoryId, lineId, request) =>
      access.onLine(repositoryId, lineId, async (store) => {
        const line = await readLine(kit.git, store.gitDir, lineId);
        return line.ok ? deliver({ kit, person, store, line: line.value }, request) : line;
      }),
    exportLine: (repositoryId, lineId, request) =>
      access.onLine(repositoryId, lineId, async (store) => {
        const line = await readLine(kit.git, store.gitDir, lineId);
        return line.ok ? exportLine(kit, store, line.value, request) : line;
      }),
  };
}
