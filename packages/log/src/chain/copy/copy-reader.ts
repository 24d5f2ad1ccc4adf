/** Looks up in a copy what a log file does not have: links, ages of keys, versions, and where it stands. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { readMeta, readNumber } from "../../sqlite/schema.ts";
import type { ChainStart, Genesis, KeyState, Lookup } from "../state/chain-state.ts";
import { decodeMessage, NO_HASH } from "../state/message.ts";

const TIMEOUT_MS = 1000;

export class CopyReader implements Lookup {
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof prepareAll>;
  /** Of streams whose newest entries were not in the file's index when it was opened. */
  readonly #unfiled: ReadonlyMap<string, number>;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS });
    this.#sql = prepareAll(this.#db);
    this.#unfiled = readUnfiled(this.#db);
  }

  versionOf(stream: string): number {
    return this.#unfiled.get(stream) ?? Number(this.#sql.version.get(stream)?.["last"] ?? 0);
  }

  findKey(id: string): KeyState | undefined {
    const row = this.#sql.key.get(id);
    if (row === undefined) return undefined;
    const at = row["at"] === null ? null : Number(row["at"]);
    return {
      digest: String(row["digest"]),
      seq: Number(row["seq"]),
      count: Number(row["count"]),
      at,
    };
  }

  findLink(n: number): Uint8Array | undefined {
    const bytes = this.#sql.link.get(n)?.["bytes"];
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  hashAt(n: number): string | undefined {
    const hash = this.#sql.hash.get(n)?.["hash"];
    return typeof hash === "string" ? hash : undefined;
  }

  readStart(): ChainStart {
    const newest = this.#db.prepare("select * from links order by n desc limit 1").get();
    return {
      applied: Number(newest?.["n"] ?? 0),
      hash: String(newest?.["hash"] ?? NO_HASH),
      head: readNumber(this.#db, "select max(seq) from entries"),
      newestTime: Number(newest?.["newest"] ?? 0),
      life: newest === undefined ? undefined : String(newest["life"]),
      genesis: this.#readGenesis(),
      ticks: this.#readTicks(),
    };
  }

  close(): void {
    this.#db.close();
  }

  #readGenesis(): Genesis | undefined {
    const bytes = this.findLink(1);
    if (bytes === undefined) return undefined;
    const { message, hash } = decodeMessage(bytes);
    return message.body.kind === "genesis" ? { ...message.body, hash } : undefined;
  }

  #readTicks(): ReadonlyMap<string, number> {
    const rows = this.#db.prepare("select life, counter from ticks").all();
    return new Map(rows.map((row) => [String(row["life"]), Number(row["counter"])]));
  }
}

function readUnfiled(db: DatabaseSync): ReadonlyMap<string, number> {
  const filed = Number(readMeta(db, "filed") ?? 0);
  const rows = db
    .prepare("select stream, max(seq) as version from entries where seq > ? group by stream")
    .all(filed);
  return new Map(rows.map((row) => [String(row["stream"]), Number(row["version"])]));
}

function prepareAll(db: DatabaseSync) {
  return {
    key: db.prepare("select digest, seq, count, at from keys where id = ?"),
    link: db.prepare("select bytes from links where n = ?"),
    hash: db.prepare("select hash from links where n = ?"),
    version: db.prepare("select last from runs where stream = ? order by first desc limit 1"),
  } satisfies Record<string, StatementSync>;
}
