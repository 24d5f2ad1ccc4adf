/** `atrium log verify`: whether a log is whole, in a file or at servers. Changes nothing; nodes may run meanwhile. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CopyFile, recognize, verifyChain, verifyFile } from "@atrium/log/upkeep";
import { ConfigError } from "../platform/config-error.ts";
import type { NatsSettings } from "../settings/cluster-settings.ts";
import type { UpkeepProgress, UpkeepReport } from "./upkeep-report.ts";

const MORE = "See docs/cluster.md#repair.";
const FILLED_AGAIN =
  "A node's copy is made of what the servers have: stop the node, remove chain.db, chain.db-wal and chain.db-shm, and start it; it fills itself again.";

/** A file may be in use: what its server writes meanwhile is not looked at. */
export function verifyLogFile(file: string, progress: UpkeepProgress): UpkeepReport {
  if (!existsSync(file)) throw new ConfigError(`there is no log at ${file}`);
  recognize(file);
  using db = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  db.exec("begin");
  const { head, keys, isCopy, problems } = verifyFile(db, (seq) => progress("checking", seq, seq));
  const isWell = problems.length === 0;
  const advice = isCopy
    ? [
        FILLED_AGAIN,
        `If those servers are gone, its messages go to others: atrium log repair --copies ${file}`,
      ]
    : [];
  const lines = isWell
    ? [`${file} is whole: ${head} entries, ${keys} keys.`]
    : [...problems, ...advice];
  return { isWell, lines, facts: { file, entries: head, keys, problems } };
}

export async function verifyServers(
  nats: NatsSettings,
  copyFile: string,
  progress: UpkeepProgress,
): Promise<UpkeepReport> {
  const { connectNats } = await import("@atrium/log/nats");
  await using servers = await connectNats(nats, { name: "atrium log verify", isLooking: true });
  using copy = existsSync(copyFile) ? new CopyFile(copyFile) : undefined;
  const note = (message: number, of: number): void => progress("checking", message, of);
  const { messages, hash, problems } = await verifyChain(servers.chain, copy, note);
  const reports = await servers.servers();
  const gaps = reports.flatMap(({ url, name, isReachable, copy: own }) => {
    if (!isReachable) return [`the server at ${url} does not answer`];
    const missing = own?.missing ?? 0;
    return missing === 0 ? [] : [`server ${name ?? url} lacks ${missing} messages in its own copy`];
  });
  const inCopy = copy === undefined ? [] : verifyCopy(copy, progress);
  const found = [...problems, ...gaps, ...inCopy.map((problem) => `${copyFile}: ${problem}`)];
  const isWell = found.length === 0;
  const unseen =
    nats.monitors.length === 0
      ? [
          "What each server has by itself was not looked at: name their addresses with --log-monitor.",
        ]
      : [];
  const lines = isWell
    ? [
        `Stream ${nats.stream} is whole: ${messages} messages, hash ${hash?.slice(0, 16)}….`,
        copy === undefined
          ? `There is no copy of a node at ${copyFile} to compare.`
          : `${copy.path} has the same up to message ${copy.applied}.`,
        ...unseen,
      ]
    : [...found, ...unseen, ...advise(problems.length > 0, inCopy.length > 0), MORE];
  const warnings = servers.warnings.map((warning) => `warning: ${warning}`);
  return {
    isWell,
    lines: [...lines, ...warnings],
    facts: { stream: nats.stream, messages, hash, problems: found, warnings: servers.warnings },
  };
}

/** Its node may write meanwhile: everything is read as it was at one moment. */
function verifyCopy({ db }: CopyFile, progress: UpkeepProgress): readonly string[] {
  db.exec("begin");
  return verifyFile(db, (seq) => progress("checking", seq, seq)).problems;
}

/** A copy that has what the servers lost is the last that may be thrown away. */
function advise(areServersSpoilt: boolean, isCopySpoilt: boolean): readonly string[] {
  if (!isCopySpoilt) return [];
  return [areServersSpoilt ? "Keep chain.db until the servers are mended." : FILLED_AGAIN];
}
