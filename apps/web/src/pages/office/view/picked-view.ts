/** What opens when something in the office is pressed. Pure. */
import type { Snapshot } from "@atrium/client";
import type { Picked } from "../../../office/view/picking.ts";
import type { View } from "./view.ts";

export function viewOfPicked(picked: Picked, snapshot: Snapshot | null): View | undefined {
  switch (picked.kind) {
    case "agent": {
      // Who needs an answer is pressed to give it.
      const open = snapshot?.decisions.find(
        ({ status, agent_id }) => status === "open" && agent_id === picked.id,
      );
      return open === undefined
        ? { kind: "agent", id: picked.id }
        : { kind: "decision", id: open.decision_id };
    }
    case "artifact":
      return { kind: "artifact", id: picked.id };
    case "trophy":
      return { kind: "panel", name: "trophies" };
    case "poi":
      return viewOfPlace(picked.id, snapshot);
  }
}

function viewOfPlace(poiId: string, snapshot: Snapshot | null): View | undefined {
  if (poiId === "poi_bd_desk") return { kind: "panel", name: "desk" };
  if (poiId === "poi_task_board") return { kind: "panel", name: "board" };
  if (poiId === "poi_trophy_shelf") return { kind: "panel", name: "trophies" };
  if (poiId === "poi_delivery_shelf") {
    const delivered = snapshot?.artifacts.find(({ status }) => status === "delivered");
    return delivered === undefined
      ? { kind: "panel", name: "board" }
      : { kind: "artifact", id: delivered.artifact_id };
  }
  const sitting = snapshot?.agents.find(({ poi_id }) => poi_id === poiId);
  return sitting === undefined ? undefined : { kind: "agent", id: sitting.agent_id };
}
