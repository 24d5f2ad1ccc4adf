/**
 * How the nodes and their servers are doing, for people: who is alive, who directs, who is behind, and whether all of
 * them have the same history. Everything here is looked at, nothing is changed.
 *
 * Two nodes are compared where they can be: at the place that the one which is behind has reached, whose hash covers
 * everything before it.
 */
import type { ChainStatus, ClusterLog } from "@atrium/log";
import { own } from "@atrium/wire";
import type { Cluster, Member } from "./cluster.ts";

/** What the monitoring address of a server of the log says of it. */
export interface LogServer {
  readonly url: string;
  /** Left out, and so is everything after it: it does not answer. */
  readonly name?: string;
  readonly version?: string;
  readonly isLeader?: boolean;
  readonly messages?: number;
  /** Messages that it should have by its own numbers and has not. */
  readonly missing?: number;
  readonly lastSeq?: number;
  /** Messages that it lacks at the end, while it comes no further. */
  readonly behind?: number;
}

export interface NodeReport {
  readonly name: string;
  readonly url: string;
  readonly version: string;
  readonly alive: boolean;
  readonly applied: number;
  readonly lag: number;
  /** Undefined when it cannot be told yet. */
  readonly agrees: boolean | undefined;
}

export interface ClusterFacts {
  readonly node: string;
  readonly trouble: string | undefined;
  readonly director: string | undefined;
  readonly directsSince: number | undefined;
  readonly leaseChanges: number;
  readonly chain: ChainStatus;
  readonly nodes: readonly NodeReport[];
  readonly servers: readonly LogServer[];
  readonly warnings: readonly string[];
}

export interface ClusterReportDeps {
  readonly cluster: Pick<Cluster, "node" | "members" | "director" | "since" | "onChange">;
  readonly chain: Pick<ClusterLog, "status" | "trouble" | "hashAt">;
  /** What the servers' monitoring addresses say. */
  readonly readServers: () => Promise<readonly LogServer[]>;
}

export interface ClusterReport extends Disposable {
  read(): ClusterFacts;
}

const LOOK_EVERY_MS = 15_000;
const REMEMBER_EVERY_MS = 300;
/** Nodes that are gone are remembered, so that somebody sees that they are; but not for ever. */
const MAX_GONE = 16;

export function openClusterReport(deps: ClusterReportDeps): ClusterReport {
  const { cluster, chain } = deps;
  const seen = new Map<string, Member>();
  let servers: readonly LogServer[] = [];
  let director = cluster.director();
  let leaseChanges = 0;

  const remember = (): void => {
    const present = cluster.director();
    // Nobody directs for a moment between two that do: that is one change.
    if (present !== undefined && present !== director) {
      director = present;
      leaseChanges += 1;
    }
    const alive = cluster.members();
    for (const member of alive) {
      seen.delete(member.node);
      seen.set(member.node, member);
    }
    const names = new Set(alive.map(({ node }) => node));
    const gone = [...seen.keys()].filter((name) => !names.has(name));
    for (const name of gone.slice(0, -MAX_GONE)) seen.delete(name);
  };
  const look = async (): Promise<void> => {
    try {
      servers = markBehind(servers, await deps.readServers());
    } catch {
      // The next look may be luckier; that a server does not answer is no error here but a finding.
      servers = servers.map(({ url }) => ({ url }));
    }
  };
  remember();
  void look();
  const listening = cluster.onChange(remember);
  const timers = [
    setInterval(() => void look(), LOOK_EVERY_MS),
    // Members come with their newest heartbeat only while they are alive.
    setInterval(remember, REMEMBER_EVERY_MS),
  ];
  for (const timer of timers) timer.unref();

  function read(): ClusterFacts {
    remember();
    const status = chain.status();
    const names = new Set(cluster.members().map(({ node }) => node));
    const known = [...seen.values()].toSorted((a, b) => (a.node < b.node ? -1 : 1));
    const furthest = Math.max(status.applied, ...known.map(({ applied }) => applied));
    const nodes = known.map((member): NodeReport => {
      const { node: name, url, version, applied } = member;
      const agrees = compare(member, chain.hashAt(applied));
      return {
        name,
        url,
        version,
        alive: names.has(name),
        applied,
        lag: furthest - applied,
        agrees,
      };
    });
    return {
      node: cluster.node,
      trouble: chain.trouble,
      director: cluster.director(),
      directsSince: cluster.since(),
      leaseChanges,
      chain: status,
      nodes,
      servers,
      warnings: [...status.warnings, ...warnOf(cluster, nodes, servers)],
    };
  }

  return {
    read,
    [Symbol.dispose]() {
      for (const timer of timers) clearInterval(timer);
      listening[Symbol.dispose]();
    },
  };
}

/** One that is where it was at the last look, when another was further already, does not catch up by itself. */
export function markBehind(
  before: readonly LogServer[],
  now: readonly LogServer[],
): readonly LogServer[] {
  const furthest = Math.max(0, ...before.map(({ lastSeq }) => lastSeq ?? 0));
  return now.map((server) => {
    const { url, lastSeq } = server;
    const last = before.find((each) => each.url === url)?.lastSeq;
    const isStill = lastSeq !== undefined && lastSeq === last && lastSeq < furthest;
    return isStill ? { ...server, behind: furthest - lastSeq } : server;
  });
}

function compare({ hash }: Member, here: string | undefined): boolean | undefined {
  return here === undefined ? undefined : here === hash;
}

function warnOf(
  cluster: Pick<Cluster, "node" | "members">,
  nodes: readonly NodeReport[],
  servers: readonly LogServer[],
): readonly string[] {
  return [
    ...warnOfNames(cluster.members()),
    ...warnOfSettings(cluster),
    ...cluster.members().flatMap(warningsOf),
    ...nodes.flatMap(warnOfNode),
    ...servers.flatMap(warnOfServer),
  ];
}

/** Nodes are reached by their names, so two of the same name get each other's calls. */
function warnOfNames(members: readonly Member[]): readonly string[] {
  const named = Map.groupBy(members, ({ node }) => node);
  return Array.from(named).flatMap(([name, nodes]) => {
    if (nodes.length === 1) return [];
    const urls = nodes.map(({ url }) => url).join(" and ");
    return [
      `${nodes.length} nodes are called ${name} (${urls}); give each its own name with --node`,
    ];
  });
}

/** Whoever directs decides by its own, so the same work would go on differently after the next takeover. */
function warnOfSettings({ node, members }: Pick<Cluster, "node" | "members">): readonly string[] {
  const here = members().find((member) => member.node === node)?.settings ?? {};
  return members().flatMap(({ node: name, settings: there }) => {
    if (name === node || there === undefined) return [];
    const differing = Object.keys(here).filter((key) => own(there, key) !== own(here, key));
    if (differing.length === 0) return [];
    return [
      `node ${name} has other settings than this node (${differing.join(", ")}); put the same atrium.config.json on every node and start it again`,
    ];
  });
}

function warningsOf({ node, warnings = [] }: Member): readonly string[] {
  return warnings.map((text) => `node ${node}: ${text}`);
}

function warnOfNode({ name, alive, agrees, applied }: NodeReport): readonly string[] {
  if (agrees === false) {
    return [
      `node ${name} has another history than this node up to message ${applied}; stop it and run atrium log verify on both`,
    ];
  }
  return alive ? [] : [`node ${name} was here and is not heard any more`];
}

function warnOfServer(server: LogServer): readonly string[] {
  const { url, name, messages, missing, lastSeq, behind } = server;
  if (name === undefined) return [`the server of the log at ${url} does not answer`];
  if (behind !== undefined) {
    return [
      `server ${name} (${url}) stays at message ${lastSeq}, ${behind} behind the others; start it again`,
    ];
  }
  if (missing === undefined || missing === 0) return [];
  return [
    `server ${name} (${url}) lacks ${missing} of ${(messages ?? 0) + missing} messages; repair it as docs/cluster.md says under "A damaged server"`,
  ];
}
