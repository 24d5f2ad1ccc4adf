/** The bridge room: plugins inside Claude Code processes connect here and say hello. */
import { createPluginFrameReader } from "@atrium/wire/bridge";
import type { Room } from "../../sockets/peer.ts";
import { PluginSession, type PluginSessionDeps } from "./inbound/session.ts";

export function createBridgeRoom(deps: PluginSessionDeps): Room {
  // Compiled for the first plugin that comes: most servers never see one.
  let read: ReturnType<typeof createPluginFrameReader> | undefined;
  return {
    open: (peer) => new PluginSession(peer, deps, (read ??= createPluginFrameReader())),
  };
}
