/**
 * Who is connected, as the gateway's peers see it. Ephemeral: never logged, gone with the process.
 *
 * Changes are published together, a moment after the first, so that a crowd arriving at once is one event.
 */
import { hostname } from "node:os";
import type { PresenceEntry } from "@atrium/wire/gateway";
import type { GatewayPeer } from "../frames/peer.ts";

export interface Presence {
  readonly version: number;
  list(): readonly PresenceEntry[];
  joined(member: GatewayPeer): void;
  left(peerId: string): void;
  close(): void;
}

export interface PresenceDeps {
  readonly now: () => number;
  readonly version: string;
  readonly platform: string;
  readonly instanceId: string;
  readonly onChange: () => void;
}

const SETTLE_MS = 200;
/** As many as a person can read; thousands of programs would make every change a megabyte. */
const MAX_LISTED = 200;
// A command line that connects, asks and disconnects does not count as present.
const PASSERS_BY: ReadonlySet<string> = new Set(["cli", "probe"]);

export function createPresence(deps: PresenceDeps): Presence {
  const present = new Map<string, PresenceEntry>();
  let version = 1;
  let timer: NodeJS.Timeout | undefined;

  const self: PresenceEntry = {
    host: hostname(),
    version: deps.version,
    platform: deps.platform,
    mode: "gateway",
    reason: "self",
    instanceId: deps.instanceId,
    text: `Gateway: ${hostname()} · atrium ${deps.version}`,
    ts: deps.now(),
  };

  function changed(): void {
    version++;
    timer ??= setTimeout(() => {
      timer = undefined;
      deps.onChange();
    }, SETTLE_MS);
  }

  return {
    get version() {
      return version;
    },
    list: () => [{ ...self, ts: deps.now() }, ...[...present.values()].slice(-MAX_LISTED)],
    joined(member) {
      if (PASSERS_BY.has(member.params.client.mode)) return;
      present.set(member.peer.id, describe(member, deps.now()));
      changed();
    },
    left(peerId) {
      if (present.delete(peerId)) changed();
    },
    close: () => clearTimeout(timer),
  };
}

function describe({ peer, params, admission }: GatewayPeer, ts: number): PresenceEntry {
  const { client } = params;
  const host = client.displayName ?? client.id;
  return {
    host,
    ip: peer.address,
    version: client.version,
    platform: client.platform,
    mode: client.mode,
    reason: "connect",
    roles: [admission.role],
    scopes: [...admission.scopes],
    ts,
    text: `${admission.role === "node" ? "Node" : "Client"}: ${host} · mode ${client.mode}`,
    ...(client.deviceFamily !== undefined && { deviceFamily: client.deviceFamily }),
    ...(client.modelIdentifier !== undefined && { modelIdentifier: client.modelIdentifier }),
    ...(client.instanceId !== undefined && { instanceId: client.instanceId }),
    ...(admission.deviceId !== undefined && { deviceId: admission.deviceId }),
  };
}
