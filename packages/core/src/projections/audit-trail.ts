/** Which runs and tool calls began and ended, the newest of them: who did what when, without what was said. */
import { conversation } from "../conversation/conversation.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";

export interface AuditStep {
  readonly seq: number;
  readonly at: number;
  /** The conversation's. */
  readonly key: string;
  readonly runId: string;
  readonly did: "run.began" | "run.ended" | "call.began" | "call.ended";
  /** Null for what only began. */
  readonly outcome: "succeeded" | "failed" | "timed-out" | "stopped" | null;
  readonly call: { readonly id: string; readonly tool: string } | null;
}

export interface AuditTrail extends Projection<readonly AuditStep[]> {
  /** Oldest first. */
  list(): readonly AuditStep[];
}

const MAX_STEPS = 5_000;

export function createAuditTrail(): AuditTrail {
  let steps: AuditStep[] = [];
  return {
    name: "trail",
    version: 1,
    list: () => steps.slice(-MAX_STEPS),
    apply(entry) {
      const key = idIn(conversation, entry.stream);
      if (key === undefined) return;
      const event = conversation.read(entry);
      const taken = stepOf(event);
      if (taken === undefined || !("runId" in event)) return;
      const { seq, at } = entry;
      steps.push({ seq, at, key, runId: event.runId, ...taken });
      // Shifting one by one would move all of them every time.
      if (steps.length >= 2 * MAX_STEPS) steps = steps.slice(-MAX_STEPS);
    },
    save: () => steps.slice(-MAX_STEPS),
    load(saved) {
      steps = [...saved];
    },
  };
}

function stepOf(event: ConversationEvent): Pick<AuditStep, "did" | "outcome" | "call"> | undefined {
  switch (event.type) {
    case "run.started":
      return { did: "run.began", outcome: null, call: null };
    case "run.completed":
      return { did: "run.ended", outcome: "succeeded", call: null };
    case "run.failed": {
      const outcome = event.kind === "timeout" ? "timed-out" : "failed";
      return { did: "run.ended", outcome, call: null };
    }
    case "run.aborted":
      return { did: "run.ended", outcome: "stopped", call: null };
    case "run.tool.called":
      return { did: "call.began", outcome: null, call: { id: event.callId, tool: event.name } };
    case "run.tool.returned": {
      const outcome = event.isError ? "failed" : "succeeded";
      return { did: "call.ended", outcome, call: { id: event.callId, tool: event.name } };
    }
    case "run.requested":
    case "run.stopping":
    case "run.delivered":
    case "run.compacted":
    case "run.session.named":
    case "run.calls.requested":
    case "run.calls.answered":
    case "run.merged":
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
    case "message.injected":
      return undefined;
  }
}
