/** What an agent may do in its workspace without asking (its setting `permissions`), in the words of Codex. */
import type { WorkspacePermissions } from "../../settings/agent-settings.ts";
import type { CompleteCodexSettings } from "./codex-settings.ts";

/** When Codex asks. It knows no policy that tells commands from changes of files: those are then allowed for it. */
export function approvalPolicyFor(
  permissions: WorkspacePermissions | undefined,
  usual: CompleteCodexSettings["approvalPolicy"],
): CompleteCodexSettings["approvalPolicy"] {
  switch (permissions) {
    case "ask":
    case "edit":
      return "untrusted";
    case "sandbox":
      return "on-request";
    case undefined:
      return usual;
  }
}
