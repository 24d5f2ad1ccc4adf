/**
 * The bridge as the door by which tools get into Claude Code, and messages into programs that speak nothing else: a session
 * of the room, and whoever finds it. Part of compose.ts, and imported by its parts alone.
 */
import { fileURLToPath } from "node:url";
import type {
  OpenMcpToolServer,
  McpToolServer,
  McpToolServerOptions,
} from "../agents/turn/mcp-tool-server.ts";
import type { BridgeBinding, BridgeSession } from "../rooms/bridge/sessions/bridge-session.ts";
import type { BridgeSessions } from "../rooms/bridge/sessions/bridge-sessions.ts";

const PLUGIN = fileURLToPath(new URL("../../../plugin/dist/atrium-plugin.mjs", import.meta.url));

export function createMcpToolServer(
  sessions: () => BridgeSessions,
  openByHand: (options: McpToolServerOptions) => McpToolServer,
): OpenMcpToolServer {
  const opened = new Map<string, BridgeSession>();
  const open: OpenMcpToolServer = async (options) => {
    if (options.isByHand === true) return openByHand(options);
    const { conversationKey, claudeSession } = options;
    // A conversation that was reset has a new process, while the old one may still be idle.
    opened.get(conversationKey)?.close("the conversation was reset");
    const deny = (code: string): void => session.replyPermission(code, "deny");
    const session: BridgeSession = sessions().open(
      bindTo({ conversationKey, claudeSession }, () => options, deny),
    );
    opened.set(conversationKey, session);
    return doorTo(session, conversationKey, async () => {
      session.close("Claude Code has ended");
      if (opened.get(conversationKey) === session) opened.delete(conversationKey);
    });
  };
  return Object.assign(open, { reads: [PLUGIN] });
}

/** What a session tells goes to whoever serves it at that moment. `deny`: nobody there decides about permissions. */
export function bindTo(
  names: Pick<BridgeBinding, "conversationKey" | "claudeSession" | "token">,
  serving: () => McpToolServerOptions,
  deny: (code: string) => void,
): BridgeBinding {
  return {
    ...names,
    get tools() {
      return serving().tools;
    },
    get meta() {
      return serving().meta ?? {};
    },
    callTool: (name, input, signal) => serving().callTool(name, input, signal),
    onPermissionRequest({ id: code, tool, args, rationale }) {
      const { onPermission } = serving();
      if (onPermission === undefined) deny(code);
      else onPermission({ code, tool, input: args, rationale });
    },
    onDropped: ({ request_id: id }, drop) => serving().onDropped?.(id, drop),
    onConnected: ({ pid }) => serving().onFound?.(pid),
    onDisconnected: () => serving().onLost?.(),
  };
}

export function doorTo(
  session: BridgeSession,
  chatId: string,
  close: () => Promise<void>,
): McpToolServer {
  return {
    command: [process.execPath, PLUGIN],
    env: session.env,
    deliver: ({ id, content, meta }) =>
      session.deliver({ request_id: id, content, meta: { ...meta, chat_id: chatId } }),
    withdraw: (id) => session.withdraw(id),
    replyPermission: (code, behavior) => session.replyPermission(code, behavior),
    get isConnected() {
      return session.isConnected;
    },
    close,
  };
}
