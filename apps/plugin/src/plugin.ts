/**
 * The plugin: Claude Code on one side (MCP over stdio), the server on the other (the bridge).
 *
 *   inbound_message   --> notifications/claude/channel
 *   permission_reply  --> notifications/claude/channel/permission
 *   tool_call         <-- tools/call                                     tool_result --> its result
 *   permission_request <- notifications/claude/channel/permission_request
 *
 * The connection is made once Claude Code has finished its own handshake, so nothing can reach it early.
 */
import type { Readable, Writable } from "node:stream";
import type { BridgeTool, HelloAck, ServerFrame } from "@atrium/wire/bridge";
import { BridgeLink } from "./bridge-link.ts";
import { toChannelMessage } from "./channel-message.ts";
import { instructionsFor } from "./instructions.ts";
import { openMcpSide } from "./mcp-side.ts";
import { PermissionRelay } from "./permission-relay.ts";
import { RecentIds } from "./recent-ids.ts";
import type { Settings } from "./settings.ts";
import type { OpenSocket, Timers } from "./system.ts";
import { ToolCalls } from "./tool-calls.ts";

export interface PluginDeps {
  readonly settings: Settings;
  readonly version: string;
  readonly pid: number;
  readonly input: Readable;
  readonly output: Writable;
  readonly openSocket: OpenSocket;
  readonly timers: Timers;
  readonly log: (line: string) => void;
}

export interface Plugin {
  close(): Promise<void>;
}

/** More than a server keeps, so that nothing it sends again is taken for new. */
const REMEMBERED_MESSAGES = 10_000;
/** How long Claude Code is kept waiting for the first list of tools. */
const FIRST_TOOLS_MS = 5_000;
const PROMPT = "notifications/claude/channel/permission_request";

export async function openPlugin(deps: PluginDeps): Promise<Plugin> {
  const { timers, log } = deps;
  const seen = new RecentIds(REMEMBERED_MESSAGES);
  const catalogue = createCatalogue(timers);
  const link = new BridgeLink({ ...deps, onUp, onFrame, onDown });
  const endReason = (): string | undefined => link.endReason;
  const calls = new ToolCalls({ timers, send: (frame) => link.send(frame), endReason });
  const permissions = new PermissionRelay((frame) => link.send(frame));
  const mcp = await openMcpSide({
    ...deps,
    instructions: instructionsFor(deps.settings.transport),
    listTools: catalogue.list,
    callTool: (name, args, signal) => calls.call(name, args, signal),
    onNotification(method, params) {
      if (method === PROMPT && !permissions.prompt(params)) log("a prompt that cannot be relayed");
    },
    onInitialized: () => link.start(),
  });

  function onUp(ack: HelloAck): void {
    if (catalogue.set(ack.tools)) mcp.notify("notifications/tools/list_changed");
    permissions.onUp();
    calls.onUp();
  }

  function onDown(reason: string): void {
    calls.onDown(reason);
  }

  function onFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case "inbound_message":
        if (!seen.add(frame.request_id)) return;
        mcp.notify("notifications/claude/channel", { ...toChannelMessage(frame) });
        return;
      case "permission_reply":
        permissions.onReply(frame);
        mcp.notify("notifications/claude/channel/permission", {
          request_id: frame.request_id,
          behavior: frame.behavior,
        });
        return;
      case "tool_result":
        calls.settle(frame);
        return;
      // The link's own business.
      case "hello_ack":
      case "ping":
      case "pong":
    }
  }

  return {
    async close() {
      link.stop();
      await mcp.close();
    },
  };
}

/** The tools as the server last named them. */
function createCatalogue(timers: Timers) {
  let tools: readonly BridgeTool[] | undefined;
  let listed = "";
  const waiting = new Set<() => void>();
  const first = (): Promise<void> =>
    new Promise((resolve) => {
      const resume = (): void => {
        cancel();
        waiting.delete(resume);
        resolve();
      };
      const cancel = timers.after(FIRST_TOOLS_MS, resume);
      waiting.add(resume);
    });
  return {
    /** Waits a little for the first ones: a list that is empty now and changes at once helps nobody. */
    list: async (): Promise<readonly BridgeTool[]> => {
      if (tools === undefined) await first();
      listed = JSON.stringify(tools ?? []);
      return tools ?? [];
    },
    /** True when Claude Code was told something else before. */
    set(named: readonly BridgeTool[]): boolean {
      tools = named;
      for (const resume of waiting) resume();
      return listed !== "" && listed !== JSON.stringify(named);
    },
  };
}
