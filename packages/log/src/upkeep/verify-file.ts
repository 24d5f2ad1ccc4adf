/**
 * Whether a log file is whole: the file itself, numbers without gaps, data that is JSON, keys that name entries, an
 * index that finds every entry of its stream, and in a node's copy the messages and what they say. Changes nothing.
 */
import type { DatabaseSync } from "node:sqlite";
import { readMeta, readNumber } from "../sqlite/schema.ts";
import { Problems } from "./problems.ts";
import { hasLinks } from "./read-rows.ts";
import { verifyRows, type RowFindings } from "./verify-rows.ts";

export interface FileFindings extends RowFindings {
  /** It is a node's copy of a chain, which can be filled again from there. */
  readonly isCopy: boolean;
  /** One sentence each; none when all is well. */
  readonly problems: readonly string[];
}

export function verifyFile(db: DatabaseSync, note: (seq: number) => void): FileFindings {
  const problems = new Problems();
  for (const row of db.prepare("pragma quick_check(10)").iterate()) {
    const text = String(row["quick_check"]);
    if (text !== "ok") problems.add(`the file is damaged: ${text}`);
  }
  const rows = verifyRows(db, problems, note);
  verifyIndex(db, problems);
  return { ...rows, isCopy: hasLinks(db), problems: problems.list };
}

/** Up to `filed`, the runs of a stream are its entries and nothing else. */
function verifyIndex(db: DatabaseSync, problems: Problems): void {
  const filed = Number(readMeta(db, "filed") ?? 0);
  const strangers = readNumber(
    db,
    // The run that begins last before it: a busy stream has many.
    `select count(*) from entries where seq <= ${filed} and seq > coalesce((
       select last from runs where runs.stream = entries.stream and first <= seq
       order by first desc limit 1), 0)`,
  );
  if (strangers > 0) problems.add(`the index of streams lacks ${strangers} entries`);
  const covered = readNumber(db, "select coalesce(sum(last - first + 1), 0) from runs");
  if (covered !== Math.min(filed, readNumber(db, "select count(*) from entries"))) {
    problems.add(`the index of streams covers ${covered} entries and should cover ${filed}`);
  }
}
