/**
 * A Claude Code with a channel asks for a permission twice: by its hook, with the whole input, and over the bridge, with a
 * preview and a code. People are asked once, by the hook; over the bridge only where no hook tells of it.
 */
import type { BridgedRequest } from "../../turn/mcp-tool-server.ts";
import type { PoolDeps } from "../process/process-pool.ts";
import type { ProcessEvent } from "../protocol/claude-process.ts";

type Behavior = "allow" | "deny";

export interface ChannelPermissions {
  onEvent(onEvent: ProcessEvent): void;
  onRequest(request: BridgedRequest): void;
  /** True when that is one of the bridge's; its answer is then on its way. */
  permit(code: string, behavior: Behavior): boolean;
  /** Who hears of those that no hook told of; undefined: nobody, and they are denied. */
  listener: ((event: ProcessEvent) => void) | undefined;
  reply: (code: string, behavior: Behavior) => void;
}

/** The two come at about the same time, in either order. */
const TOGETHER_MS = 2_000;
const MAX_HOOKS = 64;

export function createChannelPermissions({ after, now }: PoolDeps): ChannelPermissions {
  /** Those that no request of the bridge has been found for, and when they came. */
  const hooks: { readonly tool: string; readonly at: number }[] = [];
  const codes = new Set<string>();
  const takeHook = (tool: string): boolean => {
    const since = now() - 2 * TOGETHER_MS;
    const found = hooks.findIndex((hook) => hook.tool === tool && hook.at >= since);
    if (found !== -1) hooks.splice(found, 1);
    return found !== -1;
  };
  return {
    listener: undefined,
    reply: () => undefined,
    onEvent(event) {
      if (event.type !== "permission.wanted") return;
      hooks.push({ tool: event.tool, at: now() });
      if (hooks.length > MAX_HOOKS) hooks.shift();
    },
    onRequest({ code, tool, input, rationale: description }) {
      after(TOGETHER_MS, () => {
        if (takeHook(tool)) return;
        if (this.listener === undefined) return this.reply(code, "deny");
        codes.add(code);
        const wanted = { id: code, tool, input, description, cwd: undefined };
        this.listener({ type: "permission.wanted", ...wanted });
      });
    },
    permit(code, behavior) {
      if (!codes.delete(code)) return false;
      this.reply(code, behavior);
      return true;
    },
  };
}
