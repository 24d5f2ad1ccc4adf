/**
 * Who is connected, to this node or another, as the gateway's peers see it. Ephemeral: never logged, gone with the
 * process.
 *
 * Changes are published together, a moment after the first, so that a crowd arriving at once is one event.
 */
import { hostname } from "node:os";
import type { PresenceEntry } from "@atrium/wire/gateway";
import type { OpenMirror } from "../../../cluster/relay.ts";
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
  readonly mirror: OpenMirror;
  readonly onChange: () => void;
}

type PresenceChange =
  | { readonly type: "joined"; readonly id: string; readonly entry: PresenceEntry }
  | { readonly type: "left"; readonly id: string };

/** No peer has this id. */
const SELF = "";
const SETTLE_MS = 200;
/** As many as a person can read; thousands of programs would make every change a megabyte. */
const MAX_LISTED = 200;
// A command line that connects, asks and disconnects does not count as present.
const PASSERS_BY: ReadonlySet<string> = new Set(["cli", "probe"]);

export function createPresence(deps: PresenceDeps): Presence {
  const present = new Map<string, PresenceEntry>();
  /** Those of other nodes. */
  const elsewhere = new Map<string, Map<string, PresenceEntry>>();
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

  const mirror = deps.mirror<PresenceChange>({
    name: "presence",
    *whole() {
      yield { type: "joined", id: SELF, entry: self };
      const newest = [...present].slice(-MAX_LISTED);
      for (const [id, entry] of newest) yield { type: "joined", id, entry };
    },
    apply(change, node) {
      const known = elsewhere.get(node) ?? new Map<string, PresenceEntry>();
      elsewhere.set(node, apply(known, change));
      changed();
    },
    replace(changes, node) {
      if (changes.length === 0) elsewhere.delete(node);
      else elsewhere.set(node, changes.reduce(apply, new Map<string, PresenceEntry>()));
      changed();
    },
  });

  function list(): readonly PresenceEntry[] {
    const here = [...present.values()];
    const own = { ...self, ts: deps.now() };
    if (elsewhere.size === 0) return [own, ...here.slice(-MAX_LISTED)];
    const servers = Array.from(elsewhere.values(), (entries) => entries.get(SELF) ?? []).flat();
    const there = [...elsewhere.values()].flatMap((entries) =>
      [...entries].flatMap(([id, entry]) => (id === SELF ? [] : entry)),
    );
    const all = [...here, ...there].toSorted((a, b) => a.ts - b.ts);
    return [own, ...servers, ...all.slice(-MAX_LISTED)];
  }

  return {
    get version() {
      return version;
    },
    list,
    joined(member) {
      if (PASSERS_BY.has(member.params.client.mode)) return;
      const entry = describe(member, deps.now());
      const { id } = member.peer;
      present.set(id, entry);
      mirror?.tell({ type: "joined", id, entry });
      changed();
    },
    left(peerId) {
      if (!present.delete(peerId)) return;
      mirror?.tell({ type: "left", id: peerId });
      changed();
    },
    close: () => clearTimeout(timer),
  };
}

function apply(entries: Map<string, PresenceEntry>, change: PresenceChange) {
  if (change.type === "joined") entries.set(change.id, change.entry);
  else entries.delete(change.id);
  return entries;
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
