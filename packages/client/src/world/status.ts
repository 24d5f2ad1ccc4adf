/**
 * The life of a connection to the world as a pure table: status and event in, next status out.
 *
 *   idle --> connecting --> connected
 *               ^  \            |
 *               |   `-- lost ---+--- may return --> stale (waiting, trying, waiting, …) --> connected
 *               |                \-- may not -----> failed --start--> connecting
 *
 * While stale, what was seen last stays visible and new commands are frozen. `stop` leads from everywhere
 * to stopped, and nothing leads out of it.
 */
import { mayComeBack } from "@atrium/wire";
import { worldBackoffMs } from "../base/stream-backoff.ts";

export type WorldStatus =
  | { readonly state: "idle" }
  /** For the first time, or again after having given up. */
  | { readonly state: "connecting" }
  | { readonly state: "connected" }
  /** `retries` counts the attempts since the connection was lost; `delayMs` is null while one is made. */
  | {
      readonly state: "stale";
      readonly retries: number;
      readonly delayMs: number | null;
      readonly reason: string;
    }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "stopped" };

export type LinkEvent =
  | { readonly type: "start" }
  /** Subscribed, and the snapshot has arrived. */
  | { readonly type: "caught-up" }
  | { readonly type: "lost"; readonly code: number; readonly reason: string; readonly roll: number }
  | { readonly type: "timer" }
  | { readonly type: "stop" };

export function next(status: WorldStatus, event: LinkEvent): WorldStatus {
  if (status.state === "stopped") return status;
  switch (event.type) {
    case "stop":
      return { state: "stopped" };
    case "start":
      return started(status);
    case "caught-up":
      return isTrying(status) ? { state: "connected" } : status;
    case "lost":
      return isTrying(status) || status.state === "connected" ? lost(status, event) : status;
    case "timer":
      return status.state === "stale" ? { ...status, delayMs: null } : status;
  }
}

/** Whether there is, or should be, a socket. */
export function isTrying(status: WorldStatus): boolean {
  return status.state === "connecting" || (status.state === "stale" && status.delayMs === null);
}

function started(status: WorldStatus): WorldStatus {
  switch (status.state) {
    case "idle":
    case "failed":
      return { state: "connecting" };
    case "stale":
      return { ...status, delayMs: null };
    case "connecting":
    case "connected":
    case "stopped":
      return status;
  }
}

function lost(
  status: WorldStatus,
  { code, reason, roll }: Extract<LinkEvent, { type: "lost" }>,
): WorldStatus {
  const why = reason === "" ? `the connection closed (${code})` : reason;
  if (!mayComeBack(code)) return { state: "failed", reason: why };
  const retries = status.state === "stale" ? status.retries + 1 : 1;
  return { state: "stale", retries, delayMs: worldBackoffMs(retries, roll), reason: why };
}
