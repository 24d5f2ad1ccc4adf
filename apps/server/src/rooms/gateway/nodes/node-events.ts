/**
 * Events that nodes send by themselves. Only one of them has an effect here: whether a person is at
 * that machine. All others are answered as unsupported.
 */
import { checkLater, Type } from "@atrium/schema";
import { parseJson, type ParamsOf, type ResultOf } from "@atrium/wire";
import { nodePresenceChanged, type nodeEvent } from "@atrium/wire/gateway";
import type { GatewayEgress } from "../outbound/egress.ts";
import type { LiveNode, LiveNodes, NodeActivity } from "./live-nodes.ts";

export interface NodeEventDeps {
  readonly live: Pick<LiveNodes, "setActivity">;
  readonly egress: Pick<GatewayEgress, "publish">;
  readonly now: () => number;
}

const closed = { additionalProperties: false } as const;
const MAX_IDLE_SECONDS = 2_592_000;

const checkActivity = checkLater(
  Type.Union([
    Type.Object(
      {
        idleSeconds: Type.Integer({ minimum: 0, maximum: MAX_IDLE_SECONDS }),
        source: Type.Optional(Type.Union([Type.Literal("app"), Type.Literal("system")])),
        saturated: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
    Type.Object({ action: Type.Literal("clear") }, closed),
  ]),
);

export function takeNodeEvent(
  from: LiveNode,
  params: ParamsOf<typeof nodeEvent>,
  deps: NodeEventDeps,
): ResultOf<typeof nodeEvent> {
  const { event } = params;
  const answer = (handled: boolean, reason: string): ResultOf<typeof nodeEvent> => ({
    ok: true,
    event,
    handled,
    reason,
  });
  if (event === "node.presence.alive") return answer(true, "connected");
  if (event !== "node.presence.activity") return answer(false, "unsupported_event");
  const activity = readPayload(params);
  if (!checkActivity.Check(activity)) return answer(false, "invalid_payload");
  const { nodeId, declared } = from;
  if ("action" in activity) {
    publish(nodeId, null, deps);
    return answer(true, "cleared");
  }
  // Activity measured by the system, not by the app, needs the person's permission.
  const isAllowed = activity.source === "app" || declared.permissions["accessibility"] === true;
  if (!isAllowed) return answer(false, "permission_required");
  const updatedAt = deps.now();
  publish(nodeId, { lastActiveAt: updatedAt - activity.idleSeconds * 1000, updatedAt }, deps);
  return answer(true, "updated");
}

function publish(nodeId: string, activity: NodeActivity, { live, egress }: NodeEventDeps) {
  live.setActivity(nodeId, activity);
  publishActivity(egress, nodeId, activity);
}

export function publishActivity(
  egress: Pick<GatewayEgress, "publish">,
  nodeId: string,
  activity: NodeActivity,
): void {
  egress.publish(nodePresenceChanged, {
    nodeId,
    lastActiveAtMs: activity?.lastActiveAt ?? null,
    presenceUpdatedAtMs: activity?.updatedAt ?? null,
  });
}

function readPayload({ payload, payloadJSON }: ParamsOf<typeof nodeEvent>): unknown {
  // Text that is not JSON is an invalid payload like any other.
  return typeof payloadJSON === "string" ? parseJson(payloadJSON) : payload;
}
