/**
 * Writes what the chain says into a node's copy: the tables of a log file, and the links themselves.
 *
 * It decides nothing: numbers, keys and times follow from the messages. All links at hand are one transaction, so
 * that the copy always stands behind a whole message.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { LogFault, type Snapshot } from "../../log.ts";
import { faultOf } from "../../sqlite/fault.ts";
import { COMMIT_TIMEOUT_MS } from "../../sqlite/log-file.ts";
import { LogTables } from "../../sqlite/log-tables.ts";
import type { WriteRequest, NumberedBytes, WorkerReply } from "../../sqlite/messages.ts";
import { readNumber, writeMeta } from "../../sqlite/schema.ts";
import type { FileWriter } from "../../sqlite/serve-file.ts";
import { StreamIndex } from "../../sqlite/stream-index.ts";
import {
  decodeMessage,
  type DecodedMessage,
  type MessageAppend,
  type MessageRewrite,
} from "../state/message.ts";
import { LINK_TABLES, RETENTION } from "./link-tables.ts";

/** Old keys leave a few at a time, so that no commit waits for a great clearing. */
const MAX_FORGOTTEN = 256;
/** Readers of our own are done by then. */
const SCRUB_TIMEOUT_MS = 2_000;

export class CopyWriter implements FileWriter {
  readonly #db: DatabaseSync;
  readonly #tables: LogTables;
  readonly #streams: StreamIndex;
  readonly #sql: ReturnType<typeof prepareAll>;
  #head: number;
  #newestTime: number;
  #keyRetentionMs: number;
  /** Something was erased that the write-ahead log may still have. */
  #isScrubDue = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
    refuseOtherLogs(db);
    db.exec(LINK_TABLES);
    this.#tables = new LogTables(db);
    this.#streams = new StreamIndex(db);
    this.#sql = prepareAll(db);
    this.#head = readNumber(db, "select max(seq) from entries");
    this.#newestTime = readNumber(db, "select newest from links order by n desc limit 1");
    this.#keyRetentionMs = readNumber(db, `select value from meta where name = '${RETENTION}'`);
  }

  get head(): number {
    return this.#head;
  }

  get filed(): number {
    return this.#streams.filed;
  }

  commit(request: WriteRequest): WorkerReply {
    if (request.type !== "apply") throw new LogFault("failed", "a copy takes nothing but links");
    let hasErased = false;
    this.#tables.transact(() => {
      for (const link of request.links) hasErased = this.#apply(link) || hasErased;
      this.#forgetKeys();
      this.#streams.fileWhenMany(this.#head);
    });
    if (hasErased || this.#isScrubDue) this.#scrub();
    return { type: "applied", filed: this.filed };
  }

  saveSnapshot(name: string, snapshot: Snapshot): void {
    this.#tables.saveSnapshot(name, snapshot);
  }

  erase(): never {
    throw new LogFault("failed", "a copy erases what the chain says, and nothing else");
  }

  /** Whoever reads a copy at length, as `verify` does, is no reason to stop: it is scrubbed once they have finished. */
  #scrub(): void {
    const timeoutMs = this.#isScrubDue ? 0 : SCRUB_TIMEOUT_MS;
    try {
      this.#db.exec(`pragma busy_timeout = ${timeoutMs}`);
      this.#tables.scrub();
      this.#isScrubDue = false;
    } catch (error) {
      if (faultOf(error, "the copy").code !== "locked") throw error;
      this.#isScrubDue = true;
    } finally {
      this.#db.exec(`pragma busy_timeout = ${COMMIT_TIMEOUT_MS}`);
    }
  }

  /** True when it rewrote entries. */
  #apply({ n, bytes }: NumberedBytes): boolean {
    const decoded = decodeMessage(bytes);
    const { first, body } = decoded.message;
    switch (body.kind) {
      case "genesis":
        writeMeta(this.#db, RETENTION, `${body.keyRetentionMs}`);
        this.#keyRetentionMs = body.keyRetentionMs;
        break;
      case "ticks":
        for (const { author, counter, appends } of body.ticks) {
          for (const append of appends) this.#write(append);
          this.#sql.setTick.run(author.life, counter);
        }
        if (this.#head >= first) this.#sql.stampKeys.run(this.#newestTime);
        break;
      case "erase":
        this.#rewrite(body.rewrites);
    }
    this.#addLink(n, bytes, decoded);
    return body.kind === "erase";
  }

  #write({ stream, key, entries }: MessageAppend): void {
    const first = this.#head + 1;
    for (const { type, at, text } of entries) {
      this.#tables.addEntry.run(++this.#head, stream, type, at, text);
      if (at > this.#newestTime) this.#newestTime = at;
    }
    if (entries.length > 0) this.#streams.add(stream, first, this.#head);
    if (key === undefined) return;
    const at = entries.length > 0 ? this.#newestTime : null;
    this.#sql.dropKey.run(key.id);
    this.#sql.addKey.run(key.id, key.digest, this.#head, entries.length, at);
  }

  /** The links that brought what is erased keep their hash and lose their bytes, and so do erasures before this one. */
  #rewrite(rewrites: readonly MessageRewrite[]): void {
    this.#tables.rewrite(rewrites.map(({ seq, text }) => [seq, text] as const));
    this.#sql.dropErasures.run();
    for (const { seq } of rewrites) this.#sql.dropBytes.run(seq);
  }

  #addLink(n: number, bytes: Uint8Array, { message, hash }: DecodedMessage): void {
    const { author, first, body } = message;
    const { life } = author;
    this.#sql.addLink.run(n, hash, body.kind, life, first, this.#head, this.#newestTime, bytes);
  }

  #forgetKeys(): void {
    const horizon = this.#newestTime - this.#keyRetentionMs;
    const oldest = Number(this.#sql.findOldestKey.get()?.["at"] ?? horizon);
    if (oldest < horizon) this.#sql.forgetKeys.run(MAX_FORGOTTEN, horizon);
  }
}

/** A log of its own has entries that no link brought. */
function refuseOtherLogs(db: DatabaseSync): void {
  const tables = readNumber(db, "select count(*) from sqlite_schema where name = 'links'");
  if (tables > 0 || readNumber(db, "select max(seq) from entries") === 0) return;
  const file = db.location() ?? "";
  throw new LogFault(
    "foreign",
    `${file} is a log of its own and no copy of one: give the copy another file, or bring that log to the servers with atrium log copy`,
  );
}

function prepareAll(db: DatabaseSync) {
  return {
    addKey: db.prepare("insert into keys (id, digest, seq, count, at) values (?, ?, ?, ?, ?)"),
    dropKey: db.prepare("delete from keys where id = ?"),
    stampKeys: db.prepare("update keys set at = ? where at is null"),
    findOldestKey: db.prepare("select at from keys order by n limit 1"),
    forgetKeys: db.prepare(
      "delete from keys where n in (select n from keys order by n limit ?) and at < ?",
    ),
    setTick: db.prepare("insert or replace into ticks (life, counter) values (?, ?)"),
    addLink: db.prepare(
      `insert into links (n, hash, kind, life, first, last, newest, bytes)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    dropErasures: db.prepare("update links set bytes = null where kind = 'erase'"),
    dropBytes: db.prepare(
      `update links set bytes = null where n =
         (select n from links where last >= ? order by last, n limit 1)`,
    ),
  } satisfies Record<string, StatementSync>;
}
