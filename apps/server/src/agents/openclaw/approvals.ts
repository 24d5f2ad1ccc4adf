/** Permissions that the upstream agent needs for our run: asked of people here, decided there. */
import { readPermission, type Permission, type TurnHost } from "../turn/agent-runtime.ts";
import { fieldsOf, textIn, type Fields } from "../turn/json-fields.ts";
import { listIn } from "./frame-fields.ts";
import type { GatewayLink } from "./gateway-link.ts";
import type { RunName } from "./upstream-run.ts";

export interface UpstreamApprovals {
  /** An `exec.approval.requested` event, of whatever run. */
  requested(payload: unknown): void;
  /** Looks for those that were asked for while there was no connection. */
  catchUp(): Promise<void>;
}

export function createApprovals(
  link: Pick<GatewayLink, "request">,
  run: RunName,
  host: TurnHost,
  gateway: string,
): UpstreamApprovals {
  const seen = new Set<string>();

  async function settle(id: string, request: Fields): Promise<void> {
    const tool = textIn(request, "tool") ?? "exec";
    const input = textIn(request, "command") ?? id;
    const cwd = textIn(request, "cwd");
    const nodeId = textIn(request, "nodeId");
    const warning = textIn(request, "warningText");
    const machine = textIn(request, "host");
    const permissionRequest = {
      tool,
      input,
      host: machine === undefined ? gateway : `${machine} of ${gateway}`,
      ...(cwd !== undefined && { cwd }),
      ...(nodeId !== undefined && { nodeId }),
      ...(warning !== undefined && { warning }),
    };
    let permission: Permission;
    try {
      ({ permission } = readPermission(await host.requestPermission(permissionRequest)));
    } catch {
      // The turn was stopped; the gateway takes back what it has asked for.
      return;
    }
    const decision = permission === "allowed" ? "allow-once" : "deny";
    try {
      await link.request("exec.approval.resolve", { id, decision });
    } catch {
      // Decided there meanwhile, or out of reach: asked for again when the connection is back.
      seen.delete(id);
    }
  }

  const requested = (payload: unknown): void => {
    const fields = fieldsOf(payload);
    const id = textIn(fields, "id");
    const request = fieldsOf(fields["request"]);
    if (id === undefined || seen.has(id) || !isOf(run, request)) return;
    seen.add(id);
    void settle(id, request);
  };
  return {
    requested,
    async catchUp() {
      const pending = await link.request("exec.approval.list", {}).catch(() => []);
      for (const each of listIn({ pending }, "pending")) requested(each);
    },
  };
}

/** Not every gateway says which run asks; then the session tells. */
function isOf({ runId, sessionKey }: RunName, request: Fields): boolean {
  const named = textIn(request, "runId");
  return named === undefined ? textIn(request, "sessionKey") === sessionKey : named === runId;
}
