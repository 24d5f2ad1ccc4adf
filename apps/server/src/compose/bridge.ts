/** Where Claude Code's plugins come in, put together. Part of compose.ts, and imported by it alone. */
import { randomBytes } from "node:crypto";
import type { AuthAttempts } from "../access/auth-attempts.ts";
import { localUrl } from "../platform/local-url.ts";
import { clock } from "../platform/system-clock.ts";
import { systemTimers } from "../platform/timers.ts";
import { RemoteRoom } from "../rooms/bridge/inbound/remote-room.ts";
import { createBridgeRoom } from "../rooms/bridge/room.ts";
import {
  createBridgeSessions,
  type BridgeSessions,
  type BridgeSessionsDeps,
} from "../rooms/bridge/sessions/bridge-sessions.ts";
import type { Room } from "../sockets/peer.ts";
import type { ServerOptions } from "./parts.ts";
import type { State } from "./state.ts";

export interface BridgeParts {
  readonly attempts: AuthAttempts;
  /** Where the server is, once it is open. */
  readonly url: () => string;
  /** Who may come in without having been started by us. */
  readonly bindByHand: BridgeSessionsDeps["bindByHand"];
  readonly state: Pick<State, "cluster" | "relay">;
}

export interface Bridge {
  readonly sessions: BridgeSessions;
  readonly room: Room;
}

export const BRIDGE_PATH = "/bridge";

export function composeBridge(
  { config, report }: ServerOptions,
  { attempts, url, bindByHand, state }: BridgeParts,
  opened: AsyncDisposableStack,
): Bridge {
  const { limits } = config;
  const sessions = createBridgeSessions({
    url: () => bridgeUrl(url()),
    newToken: () => randomBytes(32).toString("base64url"),
    ...(bindByHand !== undefined && { bindByHand }),
    limits,
    report,
  });
  const own = createBridgeRoom({
    sessions,
    attempts,
    clock,
    timers: systemTimers,
    limits,
    report,
  });
  const { calls } = state.relay;
  const { cluster } = state;
  const room = calls === undefined ? own : opened.use(new RemoteRoom(own, { cluster, calls }));
  return { sessions, room };
}

function bridgeUrl(server: string): string {
  return localUrl(BRIDGE_PATH, server.replace(/^http/, "ws")).href;
}
