/**
 * `yes abxyz`, typed into a chat, answers the approval with that code instead of becoming a message. Only for
 * peers that may answer approvals; the result is sent to the sender alone.
 */
import { accept, type ApprovalRow, type Outcome } from "@atrium/core";
import { chatChanged } from "@atrium/wire/gateway";
import type { ApprovalRequests } from "../../../human-input/approval-requests.ts";
import { answererOf } from "../frames/answerers.ts";
import { encodeEvent } from "../frames/encode.ts";
import type { GatewayPeer } from "../frames/peer.ts";

export interface TextOrigin {
  readonly runId: string;
  readonly sessionKey: string;
  readonly agentId: string;
}

export type ApproveByText = (
  text: string,
  member: GatewayPeer,
  place: TextOrigin,
) => Promise<Outcome<{ readonly summary: string }>> | undefined;

export function createApproveByText(
  humanInput: Pick<ApprovalRequests, "matchReply">,
  now: () => number,
): ApproveByText {
  return (text, member, place) => {
    if (!member.scopes.has("operator.approvals")) return undefined;
    const matched = humanInput.matchReply(text, answererOf(member));
    return matched?.then((resolved) => {
      if (!resolved.ok) return resolved;
      const summary = describe(resolved.value);
      const content = [{ type: "text" as const, text: summary }];
      const message = { role: "assistant" as const, content, timestamp: now() };
      member.peer.send(encodeEvent(chatChanged, { ...place, seq: 1, state: "final", message }));
      return accept({ summary });
    });
  };
}

function describe({ subject, settled }: ApprovalRow): string {
  const verdict = settled?.outcome.type === "approval.allowed" ? "Allowed" : "Denied";
  return `${verdict}: ${subject.tool} ${subject.summary}`;
}
