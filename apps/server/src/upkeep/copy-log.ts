/** `atrium log copy`: moves a log between a file and servers, while nobody writes it. */
import { existsSync } from "node:fs";
import { cursor, idIn, streamOf, type CursorMoved } from "@atrium/core";
import { LogFault } from "@atrium/log";
import {
  copyChainToFile,
  copyFileToFile,
  copyToChain,
  openLogRows,
  type CopiedFile,
  type CopyToFileOptions,
  type LogRows,
} from "@atrium/log/upkeep";
import { ConfigError } from "../platform/config-error.ts";
import { CURSOR_VERSION } from "../reactions/cursor.ts";
import type { NatsSettings } from "../settings/cluster-settings.ts";
import { checkNobodyRuns } from "./live-nodes.ts";
import type { LogPlace } from "./log-place.ts";
import type { UpkeepProgress, UpkeepReport } from "./upkeep-report.ts";

const KEY_RETENTION_MS = 48 * 3_600_000;

export interface CopyRequest {
  readonly from: LogPlace;
  readonly to: LogPlace;
  /** `from` is a backup: the copy has an epoch of its own. */
  readonly isRestored: boolean;
}

export async function copyLog(
  { from, to, isRestored }: CopyRequest,
  progress: UpkeepProgress,
): Promise<UpkeepReport> {
  if (from.kind === "file") {
    if (!existsSync(from.file)) throw new ConfigError(`--from: there is no log at ${from.file}`);
    return to.kind === "file"
      ? copyFile({ from: from.file, file: to.file, isRestored }, progress)
      : fileToServers({ file: from.file, nats: to.nats, isRestored }, progress);
  }
  if (isRestored) throw new ConfigError("--restored is for a backup: a file, not running servers");
  if (to.kind === "file") return serversToFile(from.nats, to.file, progress);
  throw new ConfigError("--from and --to are the same servers");
}

async function fileToServers(
  {
    file,
    nats,
    isRestored,
  }: { readonly file: string; readonly nats: NatsSettings; readonly isRestored: boolean },
  progress: UpkeepProgress,
): Promise<UpkeepReport> {
  using rows = openLogRows(file);
  const { connectNats } = await import("@atrium/log/nats");
  await using servers = await connectNats(nats, { name: "atrium log copy" });
  const { entries, messages, hash } = await copyToChain({
    rows,
    chain: servers.chain,
    keyRetentionMs: KEY_RETENTION_MS,
    isRestored,
    behind: cursorsIn(rows),
    note: (step, seq) => progress(step, seq, rows.head),
  });
  return done(entries, `stream ${nats.stream}`, { messages, hash });
}

async function serversToFile(
  nats: NatsSettings,
  file: string,
  progress: UpkeepProgress,
): Promise<UpkeepReport> {
  const { connectNats } = await import("@atrium/log/nats");
  await using servers = await connectNats(nats, { name: "atrium log copy", isLooking: true });
  await checkNobodyRuns(servers.bus);
  const copied = await copyChainToFile(servers, { file, cursors, note: progress });
  const { messages, hash } = copied;
  return checked(file, copied, { messages, hash });
}

function copyFile(
  {
    from,
    file,
    isRestored,
  }: { readonly from: string; readonly file: string; readonly isRestored: boolean },
  progress: UpkeepProgress,
): UpkeepReport {
  if (from === file) throw new ConfigError("--from and --to are the same file");
  const copied = copyFileToFile(from, { file, cursors, isRestored, note: progress });
  return checked(file, copied, {});
}

/** What was wrong before the copy is wrong after it, and said. */
function checked(
  file: string,
  { entries, keys, problems, aside }: CopiedFile,
  facts: Readonly<Record<string, unknown>>,
): UpkeepReport {
  const report = done(entries, file, { ...facts, ...(aside !== undefined && { aside }) });
  const other =
    aside === undefined
      ? []
      : [`What lay at ${file}.copy was no unfinished copy: it is ${aside} now.`];
  if (problems.length === 0) return { ...report, lines: [...report.lines, ...other] };
  const lines = [`Copied to ${file}, which is not whole:`, ...problems, ...other];
  return { isWell: false, lines, facts: { ...report.facts, file, keys, problems } };
}

function done(entries: number, to: string, facts: Readonly<Record<string, unknown>>): UpkeepReport {
  const hash = typeof facts["hash"] === "string" ? `, hash ${facts["hash"].slice(0, 16)}…` : "";
  return {
    isWell: true,
    lines: [`Copied and checked: ${entries} entries in ${to}${hash}.`],
    facts: { entries, to, ...facts },
  };
}

/** A single server keeps how far its reactions have come as snapshots, nodes keep it in the log. */
function cursorsIn(rows: LogRows): Parameters<typeof copyToChain>[0]["behind"] {
  return rows.positions().map(({ name, seq }) => {
    const event: CursorMoved = { type: "cursor.moved", seq };
    const text = JSON.stringify(cursor.write(event));
    const entry = { type: event.type, at: rows.newestTime, text };
    return { stream: streamOf(cursor, name), key: undefined, entries: [entry] };
  });
}

const cursors: CopyToFileOptions["cursors"] = {
  prefix: streamOf(cursor, ""),
  read({ text, ...entry }) {
    const name = idIn(cursor, entry.stream);
    const { seq } = cursor.read({ ...entry, data: parseStored(text) });
    return name === undefined ? undefined : { name, version: CURSOR_VERSION, seq };
  },
};

function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LogFault("corrupt", `a cursor in the log is no JSON any more: ${text}`, cause);
  }
}
