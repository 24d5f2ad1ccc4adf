/** The bridge room: plugins inside Claude Code processes connect here and say hello. */
import { createPluginFrameReader } from "@atrium/wire/bridge";
import type { Room } from "../../sockets/peer.ts";
import { PluginSession, type PluginSessionDeps } from "./inbound/session.ts";

export type BridgeRoomDeps = Omit<PluginSessionDeps, "read">;

export function createBridgeRoom(deps: BridgeRoomDeps): Room {
  // Compiled for the first plugin that comes: most servers never see one.
  let read: PluginSessionDeps["read"] | undefined;
  return {
    open(peer) {
      read ??= createPluginFrameReader();
      return new PluginSession(peer, { ...deps, read });
    },
  };
}
