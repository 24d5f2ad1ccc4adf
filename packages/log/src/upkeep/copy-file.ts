/** A node's copy of a chain, looked at beside its writer: how far it got, and its messages with their hashes. */
import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { LogFault } from "../log.ts";
import { faultOf } from "../sqlite/fault.ts";
import { recognize } from "../sqlite/log-file.ts";
import { readNumber } from "../sqlite/schema.ts";
import { hasLinks } from "./read-rows.ts";

const TIMEOUT_MS = 1_000;

export class CopyFile implements Disposable {
  readonly path: string;
  /** The last message that it has. */
  readonly applied: number;
  readonly db: DatabaseSync;
  readonly #find: StatementSync;

  constructor(path: string) {
    this.path = path;
    if (!existsSync(path)) throw new LogFault("unreadable", `there is no copy at ${path}`);
    try {
      recognize(path);
      this.db = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS });
    } catch (error) {
      throw faultOf(error, path);
    }
    if (!hasLinks(this.db)) {
      this.db.close();
      throw new LogFault(
        "foreign",
        `${path} is no node's copy of a log: those are called chain.db`,
      );
    }
    this.applied = readNumber(this.db, "select max(n) from links");
    this.#find = this.db.prepare("select hash, bytes from links where n = ?");
  }

  hashAt(n: number): string | undefined {
    const hash = this.#find.get(n)?.["hash"];
    return typeof hash === "string" ? hash : undefined;
  }

  /** Undefined when it is not here, or was erased since. */
  bytesAt(n: number): Uint8Array | undefined {
    const bytes = this.#find.get(n)?.["bytes"];
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  [Symbol.dispose](): void {
    this.db.close();
  }
}
