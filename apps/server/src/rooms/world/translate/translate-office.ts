/** What happens in the office: who comes and goes, where they are sent, what stands on the shelf. Pure. */
import type { Goal, OfficeAgent, OfficeEvent, Point } from "@atrium/core";
import { SYSTEM_PROJECT, type Goal as WorldGoal, type WorldEvent } from "@atrium/wire/world";
import type { MessagePayload } from "../messages/message.ts";
import type { WorldEntry } from "./translate.ts";

export type OfficeMessage =
  | { readonly channel: "events"; readonly payload: WorldEvent }
  | { readonly channel: "goals"; readonly payload: MessagePayload<"agent_goal"> };

export function encodeOfficeEvent(
  { seq, at }: Pick<WorldEntry, "seq" | "at">,
  event: OfficeEvent,
): OfficeMessage | undefined {
  const happened = { seq, at, project_id: SYSTEM_PROJECT };
  switch (event.type) {
    case "office.created":
      return officeEvent({ ...happened, name: "office_created", scene_id: event.sceneId });
    case "agent.joined":
      return officeEvent({ ...happened, name: "agent_joined", agent_id: event.agentId });
    case "agent.left":
      return officeEvent({ ...happened, name: "agent_left", agent_id: event.agentId });
    case "decor.unlocked": {
      const { decorId: decor_id, anchorId: anchor_id, projectId: project_id } = event;
      return officeEvent({ ...happened, project_id, name: "decor_unlocked", decor_id, anchor_id });
    }
    case "agent.goal_set": {
      const { agentId, goal, arrivalRadius: arrival_radius, because, ...walk } = event;
      const rest = { goal: goalOnWire(goal), arrival_radius, because };
      return { channel: "goals", payload: { seq, ...walkOnWire({ agentId, walk }), ...rest } };
    }
    case "player.goal_set":
      return undefined;
  }
}

export type WalkOnWire = Pick<
  MessagePayload<"agent_goal">,
  "agent_id" | "path" | "speed_mps" | "started_at"
>;

interface Walker {
  readonly agentId: string;
  readonly walk: Pick<OfficeAgent["walk"], "path" | "speedMps" | "at">;
}

export function walkOnWire({ agentId, walk }: Walker): WalkOnWire {
  const { path, speedMps, at } = walk;
  return { agent_id: agentId, path: path.map(pointOnWire), speed_mps: speedMps, started_at: at };
}

export function pointOnWire([x, y, z]: Point): [number, number, number] {
  return [x, y, z];
}

export function goalOnWire(goal: Goal): WorldGoal {
  switch (goal.kind) {
    case "go_to_poi":
      return { kind: goal.kind, poi_id: goal.poiId };
    case "deliver_artifact":
      return { kind: goal.kind, artifact_id: goal.artifactId, poi_id: goal.poiId };
    case "seek_decision":
      return { kind: goal.kind, decision_id: goal.decisionId };
    case "go_to_player":
    case "wait":
      return { kind: goal.kind };
  }
}

function officeEvent(payload: WorldEvent): OfficeMessage {
  return { channel: "events", payload };
}
