/** Delivery, by git. */
import type { WorkspaceAccess } from "../access/access.ts";
import type { Deliveries } from "../port/delivery.ts";
import { readLine } from "../store/lines.ts";
import { deliver, type DeliveryTools } from "./deliver.ts";
import { exportLine } from "./export-line.ts";

export function createDeliveries(
  access: WorkspaceAccess,
  { person, projects }: Pick<DeliveryTools, "person" | "projects">,
): Deliveries {
  const { kit } = access;
  return {
    deliver: (repositoryId, lineId, request) =>
      access.onLine(repositoryId, lineId, async (store) => {
        const line = await readLine(kit.git, store.gitDir, lineId);
        if (!line.ok) return line;
        return deliver({ kit, person, projects, store, lineId, line: line.value }, request);
      }),
    exportLine: (repositoryId, lineId, request) =>
      access.onLine(repositoryId, lineId, async (store) => {
        const line = await readLine(kit.git, store.gitDir, lineId);
        return line.ok ? exportLine(kit, store, line.value, request) : line;
      }),
  };
}
