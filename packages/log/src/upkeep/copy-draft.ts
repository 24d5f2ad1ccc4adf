/**
 * The file in which a copy grows until it is whole and gets its name. It says in itself that it is one and, once it
 * can no longer tell from its messages, what it was made of: so that whoever finds it after a crash goes on with
 * nothing but a copy of the same log. Has the lock of the file that it is for, so only one copy is made of it.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LogFault } from "../log.ts";
import { faultOf } from "../sqlite/fault.ts";
import { createPrivately, takeLock } from "../sqlite/lock.ts";
import { openLogFile, recognize, syncFolder } from "../sqlite/log-file.ts";
import { moveAway } from "../sqlite/move-away.ts";
import { readMeta, writeMeta } from "../sqlite/schema.ts";

/** What a draft was made of, when it is a log file already. */
export interface MadeOf {
  /** Hashes of the first and the last message. */
  readonly genesis: string;
  readonly hash: string;
  readonly messages: number;
  /** Of its rows, see verify-rows.ts. */
  readonly digest: string;
}

/** In `meta`, all under one beginning. They are gone from the finished file. */
const STATE = "draft";
const FIELDS = {
  genesis: "draft.genesis",
  hash: "draft.hash",
  messages: "draft.messages",
} as const;
const DIGEST = "draft.digest";
const COMPANIONS = ["", "-wal", "-shm", "-journal", ".lock"];

type State = "growing" | "converted";

export class CopyDraft implements Disposable {
  readonly path: string;
  /** The name that something else got which lay in the draft's place. */
  readonly aside: string | undefined;
  readonly #file: string;
  readonly #part: string;
  readonly #lock: Disposable;

  constructor(file: string) {
    refuseExisting(file);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    using stack = new DisposableStack();
    this.#lock = stack.use(takeLock(file));
    refuseExisting(file);
    this.#file = file;
    this.path = `${file}.copy`;
    this.#part = `${this.path}.part`;
    const isOther = existsSync(this.path) && readState(this.path) === undefined;
    this.aside = isOther ? moveAway(this.path, "aside") : undefined;
    stack.move();
  }

  get isThere(): boolean {
    return existsSync(this.path);
  }

  /** Whether a crash left it readable. */
  get isSound(): boolean {
    try {
      using db = new DatabaseSync(this.path, { readOnly: true });
      return db.prepare("pragma quick_check(1)").get()?.["quick_check"] === "ok";
    } catch {
      return false;
    }
  }

  /** Undefined while it is what a node's copy is, and when it is not there. */
  get madeOf(): MadeOf | undefined {
    if (!this.isThere) return undefined;
    using db = new DatabaseSync(this.path, { readOnly: true });
    return readMeta(db, STATE) === "converted" ? readMadeOf(db) : undefined;
  }

  /** An empty log. */
  begin(): void {
    const log = openLogFile(this.#part, "normal");
    mark(log.db, "growing");
    log.close(true);
    this.#place();
  }

  /** Everything that is in a file which nobody writes. */
  fillFrom(from: string): void {
    this.discard();
    try {
      createPrivately(this.#part);
      {
        using source = new DatabaseSync(from, { readOnly: true });
        source.prepare("vacuum into ?").run(this.#part);
      }
      using db = new DatabaseSync(this.#part);
      mark(db, "growing");
    } catch (error) {
      throw faultOf(error, from);
    }
    this.#place();
  }

  discard(): void {
    const { path } = this;
    // The damaged one is a draft that a node's copy would have kept.
    for (const each of [path, `${path}.damaged`, this.#part, `${this.#part}.new`]) removeFile(each);
  }

  /** Gives it the file's name. */
  finish(): void {
    renameSync(this.path, this.#file);
    this.discard();
    using db = new DatabaseSync(this.#file);
    db.exec(`delete from meta where name like '${STATE}%'; pragma wal_checkpoint(truncate)`);
    syncFolder(dirname(this.#file));
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]();
  }

  /** So that nothing under the draft's name lacks its mark. */
  #place(): void {
    renameSync(this.#part, this.path);
    removeFile(this.#part);
  }
}

/** Within the transaction that makes it so. */
export function markConverted(db: DatabaseSync, made: MadeOf): void {
  mark(db, "converted");
  writeMeta(db, FIELDS.genesis, made.genesis);
  writeMeta(db, FIELDS.hash, made.hash);
  writeMeta(db, FIELDS.messages, `${made.messages}`);
  writeMeta(db, DIGEST, made.digest);
}

function mark(db: DatabaseSync, state: State): void {
  writeMeta(db, STATE, state);
}

function readMadeOf(db: DatabaseSync): MadeOf {
  const read = (name: string): string => readMeta(db, name) ?? "";
  return {
    genesis: read(FIELDS.genesis),
    hash: read(FIELDS.hash),
    messages: Number(read(FIELDS.messages)),
    digest: read(DIGEST),
  };
}

/** Undefined when it is no draft, whatever else it is. */
function readState(path: string): string | undefined {
  try {
    recognize(path);
    using db = new DatabaseSync(path, { readOnly: true });
    return readMeta(db, STATE);
  } catch (error) {
    const fault = faultOf(error, path);
    if (fault.code === "corrupt" || fault.code === "foreign") return undefined;
    throw fault;
  }
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new LogFault("foreign", `${file} is there already: move it away, or copy to another home`);
}

function removeFile(path: string): void {
  for (const end of COMPANIONS) rmSync(path + end, { force: true });
}
