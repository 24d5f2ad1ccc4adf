/**
 * What a node makes sure of before it writes to servers: that they keep what they acknowledge, and that the stream is
 * a log of ours with nothing missing. It refuses with every line to change, and changes nothing. Servers that are
 * started again later with other settings are a warning: a node that runs does not stop for them.
 */
import { LogFault } from "../log.ts";
import type { ServerReport } from "./server-reports.ts";
import { ADVISED_SERVER, isOlder, OLDEST_SERVER } from "./server-versions.ts";
import { isOurs, streamProblems, type StreamInfo } from "./stream-settings.ts";

export interface CheckedServers {
  readonly stream: StreamInfo;
  /** Of the server that this node is connected to. */
  readonly version: string;
  readonly maxPayload: number;
  /** How many servers there are, as far as this node knows. */
  readonly count: number;
  readonly reports: readonly ServerReport[];
  readonly isUnsafe: boolean;
}

const MIB = 1024 * 1024;
/** What a node puts together by itself fits into less. */
const MIN_PAYLOAD_BYTES = MIB;
/** Few people send more at once; what is larger is refused, and they are told. */
const ADVISED_PAYLOAD_BYTES = 8 * MIB;

/** Throws a fault that names everything that is wrong; returns what an operator should change all the same. */
export function checkServers(servers: CheckedServers): readonly string[] {
  const { stream, isUnsafe } = servers;
  const { name } = stream.config;
  if (!isOurs(stream.config)) {
    throw new LogFault(
      "foreign",
      `The stream ${name} is not a log of Atrium: its subjects are ${JSON.stringify(stream.config.subjects ?? [])}; name another one with --log-stream.`,
    );
  }
  const problems = [
    ...versionProblems(servers),
    ...payloadProblems(servers),
    ...streamProblems(stream.config, { hasReplicas: servers.count >= 3, isUnsafe }).map(
      (problem) => `stream ${name}: ${problem}`,
    ),
    ...(isUnsafe ? [] : [...unsyncedServers(servers), ...unseenServers(servers)]),
  ];
  if (problems.length > 0) {
    throw new LogFault(
      "unreadable",
      `The log's servers are not set up to keep a log safely. Change there:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
  }
  checkWhole(stream);
  return warningsOf(servers);
}

/** A stream that lost messages inside must not be written on as if it had not. */
function checkWhole({ config, state }: StreamInfo): void {
  const missing = state.last_seq - state.messages;
  if (missing === 0 && (state.num_deleted ?? 0) === 0) return;
  throw new LogFault(
    "corrupt",
    `The stream ${config.name} has ${state.messages} messages up to number ${state.last_seq}: ${missing} are missing. Run atrium log repair.`,
  );
}

function versionProblems({ version, reports }: CheckedServers): readonly string[] {
  return versionsOf(version, reports)
    .filter(([, found]) => isOlder(found, OLDEST_SERVER))
    .map(
      ([server, found]) =>
        `${server}: nats-server ${found} is too old, use ${OLDEST_SERVER} or newer`,
    );
}

function payloadProblems(servers: CheckedServers): readonly string[] {
  return payloadsOf(servers)
    .filter(([, found]) => found < MIN_PAYLOAD_BYTES)
    .map(
      ([server, found]) =>
        `${server}: max_payload is ${found}, must be at least 1MB (8MB is advised)`,
    );
}

function unsyncedServers({ reports }: CheckedServers): readonly string[] {
  return reports
    .filter(({ isSyncAlways }) => isSyncAlways === false)
    .map((report) => `${nameOf(report)}: jetstream { sync_interval: always } is missing`);
}

/** With copies on other servers a crash of one loses nothing; fewer than three have one copy, and any may have it. */
function unseenServers({ reports, count }: CheckedServers): readonly string[] {
  const answered = reports.filter(({ isReachable }) => isReachable);
  const seen = new Set(answered.map(({ name, url }) => name ?? url)).size;
  if (count >= 3 || seen >= count) return [];
  const which = count === 1 ? "one server alone" : `each of ${count} servers`;
  return [
    `${which} must be seen to write before it acknowledges: set jetstream { sync_interval: always } and name its monitoring address with --log-monitor (or accept losses with --log-unsafe)`,
  ];
}

/** What an operator should change, of servers that were accepted. */
export function warningsOf(servers: CheckedServers): readonly string[] {
  const { version, reports, count, isUnsafe } = servers;
  const older = versionsOf(version, reports).filter(
    ([, found]) => isOlder(found, ADVISED_SERVER) && !isOlder(found, OLDEST_SERVER),
  );
  const warnings = older.map(
    ([server, found]) =>
      `${server}: nats-server ${found} works; ${ADVISED_SERVER} or newer is advised`,
  );
  const small = payloadsOf(servers).filter(
    ([, found]) => found < ADVISED_PAYLOAD_BYTES && found >= MIN_PAYLOAD_BYTES,
  );
  for (const [server, found] of small) {
    warnings.push(
      `${server}: max_payload is ${found}; what is larger is refused as log.oversize, and 8MB is advised`,
    );
  }
  if (isUnsafe) warnings.push("--log-unsafe: the log's servers may lose what they acknowledged");
  const unseen = reports.filter(({ isReachable }) => !isReachable).map(({ url }) => url);
  if (unseen.length > 0) {
    warnings.push(`no answer at ${unseen.join(", ")}: how these servers store cannot be seen`);
  } else if (reports.length < count) {
    warnings.push(
      `${count - reports.length} of ${count} servers are not in --log-monitor: whether they write before they acknowledge cannot be seen`,
    );
  }
  // They were accepted as they were when this node started.
  const changed = [
    ...versionProblems(servers),
    ...payloadProblems(servers),
    ...(isUnsafe ? [] : unsyncedServers(servers)),
  ];
  return [...changed, ...warnings];
}

function versionsOf(
  version: string,
  reports: readonly ServerReport[],
): readonly (readonly [server: string, version: string])[] {
  const seen = reports.flatMap((report) =>
    report.version === undefined ? [] : [[nameOf(report), report.version] as const],
  );
  return seen.length === 0 ? [["server", version]] : seen;
}

/** As each server says of itself; without a monitoring address that of the one this node is connected to. */
function payloadsOf({
  maxPayload,
  reports,
}: CheckedServers): readonly (readonly [server: string, maxPayload: number])[] {
  const seen = reports.flatMap((report) =>
    report.maxPayload === undefined ? [] : [[nameOf(report), report.maxPayload] as const],
  );
  return seen.length === 0 ? [["server", maxPayload]] : seen;
}

function nameOf({ name, url }: ServerReport): string {
  return name === undefined ? url : `server ${name} (${url})`;
}
