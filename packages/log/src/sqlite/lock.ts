/**
 * One process per log, even when the last one was killed.
 *
 * The lock is an exclusive transaction on a small file beside the log. The system keeps it, so
 * it ends with its holder, however that ends. Not on the log itself, where it would shut out
 * our own reader. The file is created without being opened when it is there already: closing
 * any descriptor of it would drop a lock that this same process holds.
 */
import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { LogFault } from "../log.ts";
import { faultOf } from "./fault.ts";

export function takeLock(file: string): Disposable {
  const path = `${file}.lock`;
  createPrivately(path);
  using stack = new DisposableStack();
  try {
    const db = stack.use(new DatabaseSync(path, { timeout: 0 }));
    // In memory, or a journal file would appear beside the lock.
    db.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    const fault = faultOf(error, path);
    if (fault.code !== "locked") throw fault;
    const advice = "stop the other one, or give this one a file of its own";
    throw new LogFault("locked", `${file} is open in another log: ${advice}`, error);
  }
  return stack.move();
}

/** Makes an empty file that only this user may read; leaves one that is there alone. */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return;
    throw faultOf(error, path);
  }
}
