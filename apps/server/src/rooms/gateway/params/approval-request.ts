/** Reads a client's request for an approval. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { ParamsOf } from "@atrium/wire";
import type { execApprovalRequest } from "@atrium/wire/gateway";
import type { NewApproval } from "../../../human-input/approval-requests.ts";
import { MAX_WAIT_MS } from "../../../human-input/limits.ts";

export function readApprovalRequest(
  params: ParamsOf<typeof execApprovalRequest>,
): Outcome<NewApproval> {
  const { id, systemRunPlan, commandArgv, host, nodeId, scope, timeoutMs } = params;
  const planned = systemRunPlan?.["commandText"];
  const command =
    params.command ?? (typeof planned === "string" ? planned : commandArgv?.join(" ")) ?? "";
  if (command.trim() === "") return refuse("params.invalid", "command is required");
  if (host === "node" && textOrNull(nodeId) === null) {
    return refuse("params.invalid", "nodeId is required for host=node");
  }
  const warnings = [params.warningText ?? "", scope === undefined ? "" : describeScope(scope)];
  return accept({
    ...(id !== undefined && { id }),
    subject: {
      tool: "exec",
      summary: command,
      cwd: textOrNull(params.cwd),
      host: textOrNull(host),
      nodeId: textOrNull(nodeId),
      warning: warnings.filter((text) => text !== "").join("\n") || null,
      conversationKey: textOrNull(params.sessionKey),
      runId: textOrNull(params.runId),
      agent: textOrNull(params.agentId),
      askedBy: "client",
      mayAlways: params.ask !== "always" && params.unavailableDecisions === undefined,
    },
    ...(timeoutMs !== undefined && { timeoutMs: Math.min(timeoutMs, MAX_WAIT_MS) }),
  });
}

/** "payment: amount 5, currency EUR, target shop" */
function describeScope({ kind, ...rest }: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(rest).map(([name, value]) => {
    return `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  return `${String(kind)}: ${parts.join(", ")}`;
}

/** Clients send empty text for what they leave unset. */
function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === "" ? null : text;
}
