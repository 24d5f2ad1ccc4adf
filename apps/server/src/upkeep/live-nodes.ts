/** Which nodes run at this moment: a log that is moved must stand still. */
import { setTimeout } from "node:timers/promises";
import { LogFault, type Bus } from "@atrium/log";
import { decodeHeartbeat, HEARTBEAT_SUBJECT } from "../cluster/heartbeat.ts";

/** Nodes are heard three times a second. */
const LISTEN_MS = 1_500;

export async function checkNobodyRuns(bus: Bus): Promise<void> {
  const nodes = new Map<string, string>();
  {
    using _listening = bus.subscribe(HEARTBEAT_SUBJECT, (bytes) => {
      const beat = decodeHeartbeat(bytes);
      if (beat !== undefined && beat.isLast !== true) nodes.set(beat.node, beat.url);
    });
    await setTimeout(LISTEN_MS);
  }
  if (nodes.size === 0) return;
  const names = Array.from(nodes, ([name, url]) => `${name} at ${url}`).join(", ");
  throw new LogFault("locked", `nodes write this log: ${names}; stop them all, then try again`);
}
