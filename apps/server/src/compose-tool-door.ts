/**
 * The bridge as the door by which tools get into Claude Code: a session of the room, and the plugin that finds it. Part
 * of compose.ts, and imported by it alone.
 */
import { fileURLToPath } from "node:url";
import type { Ids } from "@atrium/core";
import type { OpenToolDoor } from "./agents/claude-code/tool-door.ts";
import type { BridgeSession } from "./rooms/bridge/bridge-session.ts";
import type { BridgeSessions } from "./rooms/bridge/bridge-sessions.ts";

const PLUGIN = fileURLToPath(new URL("../../plugin/dist/atrium-plugin.mjs", import.meta.url));

export function createBridgeDoor(sessions: () => BridgeSessions, ids: Ids): OpenToolDoor {
  const opened = new Map<string, BridgeSession>();
  return async ({ conversationKey, claudeSession, tools, callTool, onFound, onLost }) => {
    // A conversation that was reset has a new process, while the old one may still be idle.
    opened.get(conversationKey)?.close("the conversation was reset");
    const session = sessions().open({
      conversationKey,
      claudeSession,
      tools,
      callTool,
      // The runtime hears of both by itself: by the hook, and by the answer that does not come.
      onPermissionRequest: () => undefined,
      onDropped: () => undefined,
      onConnected: ({ pid }) => onFound?.(pid),
      onDisconnected: () => onLost?.(),
    });
    opened.set(conversationKey, session);
    return {
      command: [process.execPath, PLUGIN],
      env: session.env,
      deliver(content) {
        const id = ids.next();
        const meta = { chat_id: conversationKey, message_id: id };
        session.deliver({ request_id: id, content, meta });
      },
      async close() {
        session.close("Claude Code has ended");
        if (opened.get(conversationKey) === session) opened.delete(conversationKey);
      },
    };
  };
}
