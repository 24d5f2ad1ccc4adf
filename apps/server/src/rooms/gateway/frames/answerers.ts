/** Who answers an approval or a question, as far as the connection shows. */
import type { Answerer } from "@atrium/core";
import type { ApprovalReviewer } from "@atrium/wire/gateway";
import { answererFrom } from "../../../access/principal.ts";
import type { GatewayPeer } from "./peer.ts";

export function answererOf({ peer, params, admission, principal }: GatewayPeer): Answerer {
  const { client } = params;
  const name = client.displayName ?? client.id;
  return answererFrom(principal, { id: admission.deviceId ?? peer.id, name, via: "gateway" });
}

/** A client may answer on behalf of someone in one of its channels; both are named. */
export function onBehalfOf(member: GatewayPeer, reviewer: ApprovalReviewer | undefined): Answerer {
  const client = answererOf(member);
  if (reviewer === undefined) return client;
  const { channel, accountId, senderId } = reviewer;
  const id = `${channel}:${accountId}:${senderId}`;
  return { ...client, id, name: senderId, via: `${channel} through ${client.name}` };
}
