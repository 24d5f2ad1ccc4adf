/**
 * A chain, or a node's copy of one, as a log file of its own: the same numbers, keys and epoch.
 *
 * It grows under a name of its own as the copy of a node would, then loses what only nodes need, and gets the file's
 * name last. So a crash leaves either nothing under that name or the whole log, and the next try goes on.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openChainLog, type ChainLogOptions } from "../chain/chain-log.ts";
import type { Chain, Link } from "../chain/chain.ts";
import { RETENTION } from "../chain/copy/link-tables.ts";
import { decodeMessage } from "../chain/state/message.ts";
import { LogFault, NOTHING_SAVED } from "../log.ts";
import { faultOf } from "../sqlite/fault.ts";
import { createPrivately } from "../sqlite/lock.ts";
import { readMeta, readNumber, writeMeta } from "../sqlite/schema.ts";
import {
  hasLinks,
  openLogRows,
  readChainEpoch,
  readEntries,
  type EntryRow,
  type SavedPosition,
} from "./log-rows.ts";
import { nextEpoch } from "./next-epoch.ts";

export interface CopyToFileOptions {
  readonly file: string;
  /** Where nodes keep in the log how far someone has come who reacts to it: a file keeps that as a snapshot. */
  readonly cursors: {
    /** What the names of such streams begin with. */
    readonly prefix: string;
    readonly read: (entry: EntryRow) => SavedPosition | undefined;
  };
  readonly note: (message: number, of: number) => void;
}

export interface CopiedFile {
  readonly entries: number;
  readonly messages: number;
  readonly hash: string;
}

/** In `meta`: what is left to do is to give the file its name. It stays there and means nothing later. */
const CONVERTED = "converted";
const COMPANIONS = ["-wal", "-shm", ".lock"];

/** The chain must not grow meanwhile: whoever calls has made sure that no node runs. */
export async function copyChainToFile(
  { chain, bus }: Pick<ChainLogOptions, "chain" | "bus">,
  { file, cursors, note }: CopyToFileOptions,
): Promise<CopiedFile> {
  const draft = draftOf(file);
  const messages = await chain.last();
  const newest = messages === 0 ? undefined : await chain.read(messages);
  if (newest === undefined) {
    throw new LogFault("unreadable", "the stream is empty: there is nothing to copy");
  }
  const { hash } = decodeMessage(newest);
  if (!isConverted(draft)) {
    const node = { id: "copy", life: `copy-${messages}` };
    const noted = noteProgress(chain, (n) => note(n, messages));
    const log = await openChainLog({ chain: noted, bus, node, copyFile: draft });
    const { applied, hash: own } = log.status();
    await log.close();
    if (applied !== messages || own !== hash) {
      throw new LogFault(
        "locked",
        "the log grew while it was copied: stop every node, then copy again",
      );
    }
  }
  const entries = convert(draft, cursors);
  finish(draft, file);
  return { entries, messages, hash };
}

interface FileToFileOptions extends Pick<CopyToFileOptions, "file" | "cursors"> {
  /** The log is restored from a backup. */
  readonly isRestored?: boolean;
}

/** From a log file or a node's copy, which nobody has open. */
export function copyFileToFile(
  from: string,
  { file, cursors, isRestored = false }: FileToFileOptions,
): Pick<CopiedFile, "entries"> {
  const draft = draftOf(file);
  if (!isConverted(draft)) {
    using rows = openLogRows(from);
    removeFile(draft);
    const part = `${draft}.part`;
    vacuumInto(rows.path, part);
    renameSync(part, draft);
  }
  const entries = convert(draft, cursors, isRestored);
  finish(draft, file);
  return { entries };
}

function draftOf(file: string): string {
  if (existsSync(file)) {
    throw new LogFault(
      "foreign",
      `${file} is there already: move it away, or copy to another home`,
    );
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return `${file}.copy`;
}

/** Not every chain is a plain object, so each member is passed on by hand. */
function noteProgress(chain: Chain, note: (n: number) => void): Chain {
  return {
    get maxBytes() {
      return chain.maxBytes;
    },
    get trouble() {
      return chain.trouble;
    },
    publish: () => Promise.reject(new LogFault("failed", "a copy writes nothing to the chain")),
    read: (n) => chain.read(n),
    last: () => chain.last(),
    async *watch(after: number, signal: AbortSignal): AsyncGenerator<Link> {
      for await (const link of chain.watch(after, signal)) {
        note(link.n);
        yield link;
      }
    },
  };
}

function isConverted(draft: string): boolean {
  if (!existsSync(draft)) return false;
  using db = new DatabaseSync(draft, { readOnly: true });
  const isLog = readNumber(db, "select count(*) from sqlite_schema where name = 'meta'") > 0;
  return isLog && readMeta(db, CONVERTED) !== undefined;
}

/** What only nodes need goes, in one step, and so do the bytes of entries that were erased since. */
function convert(draft: string, cursors: CopyToFileOptions["cursors"], isRestored = false): number {
  try {
    using db = new DatabaseSync(draft);
    if (readMeta(db, CONVERTED) === undefined) {
      db.exec("pragma secure_delete = on; pragma synchronous = full; begin immediate");
      const epoch = readChainEpoch(db) ?? readMeta(db, "epoch") ?? "";
      const head = readNumber(db, "select max(seq) from entries");
      writeMeta(db, "epoch", isRestored ? nextEpoch(epoch, head) : epoch);
      if (hasLinks(db)) {
        db.exec("drop table links; drop table ticks; delete from snapshots");
        db.exec(`delete from meta where name = '${RETENTION}'`);
        savePositions(db, cursors);
      }
      writeMeta(db, "state", "clean");
      writeMeta(db, CONVERTED, "yes");
      db.exec("commit");
    }
    db.exec("vacuum");
    writeMeta(db, "scrubbed", "yes");
    db.exec("pragma wal_checkpoint(truncate)");
    return readNumber(db, "select max(seq) from entries");
  } catch (error) {
    throw faultOf(error, draft);
  }
}

function savePositions(db: DatabaseSync, { prefix, read }: CopyToFileOptions["cursors"]): void {
  const save = db.prepare(
    "insert or replace into snapshots (name, version, seq, text) values (?, ?, ?, ?)",
  );
  for (const entry of readEntries(db, prefix)) {
    const position = read(entry);
    if (position === undefined) continue;
    save.run(position.name, position.version, position.seq, NOTHING_SAVED);
  }
}

function finish(draft: string, file: string): void {
  renameSync(draft, file);
  removeFile(draft);
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function vacuumInto(from: string, to: string): void {
  try {
    removeFile(to);
    createPrivately(to);
    using db = new DatabaseSync(from, { readOnly: true });
    db.prepare("vacuum into ?").run(to);
  } catch (error) {
    throw faultOf(error, from);
  }
}

function removeFile(path: string): void {
  for (const end of ["", ...COMPANIONS]) rmSync(path + end, { force: true });
}
