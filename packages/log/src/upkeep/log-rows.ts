/**
 * A log file that nobody writes, row by row: for whoever copies or checks it. Holds the log's lock, so that no server
 * opens the file meanwhile, and changes nothing in it.
 */
import { realpathSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { decodeMessage } from "../chain/state/message.ts";
import { LogFault, NOTHING_SAVED } from "../log.ts";
import { faultOf } from "../sqlite/fault.ts";
import { takeLock } from "../sqlite/lock.ts";
import { recognize } from "../sqlite/log-file.ts";
import { readMeta, readNumber } from "../sqlite/schema.ts";
import { Problems } from "./problems.ts";
import { hasLinks, readEntries, readKeys, type EntryRow, type KeyRow } from "./read-rows.ts";
import { verifyRows, type RowFindings } from "./verify-rows.ts";

export interface SavedPosition {
  readonly name: string;
  readonly version: number;
  readonly seq: number;
}

export interface LogRows extends Disposable {
  readonly path: string;
  readonly epoch: string;
  readonly head: number;
  /** It is a node's copy of a chain. */
  readonly isCopy: boolean;
  /** The newest time that any entry has. */
  readonly newestTime: number;
  /** In order of their numbers. */
  entries(): Iterable<EntryRow>;
  /** Snapshots that hold a position and nothing else: how far someone has come who reacts to the log. */
  positions(): readonly SavedPosition[];
  /** In the order in which they were used. */
  keys(): Iterable<KeyRow>;
  /** Reads all of it once. Throws when it is a node's copy and not what its messages say. */
  verify(note: (seq: number) => void): RowFindings;
}

export function openLogRows(file: string): LogRows {
  using stack = new DisposableStack();
  let path = file;
  try {
    path = realpathSync(file);
    stack.use(takeLock(path));
    recognize(path);
    const db = stack.use(new DatabaseSync(path, { readOnly: true }));
    const epoch = readChainEpoch(db) ?? readMeta(db, "epoch");
    if (epoch === undefined) {
      throw new LogFault("corrupt", `${path} has no epoch: restore a copy of it`);
    }
    const head = readNumber(db, "select max(seq) from entries");
    const held = stack.move();
    return {
      path,
      epoch,
      head,
      newestTime: readNumber(db, "select max(at) from entries"),
      entries: () => readEntries(db),
      keys: () => readKeys(db),
      isCopy: hasLinks(db),
      verify: (note) => verify(db, path, note),
      // Nodes keep theirs in the log.
      positions: () => (hasLinks(db) ? [] : readPositions(db)),
      [Symbol.dispose]: () => held.dispose(),
    };
  } catch (error) {
    throw faultOf(error, path);
  }
}

/** A node's copy has the epoch of its log in the first message; undefined for any other file. */
function readChainEpoch(db: DatabaseSync): string | undefined {
  if (!hasLinks(db)) return undefined;
  const bytes = db.prepare("select bytes from links where n = 1").get()?.["bytes"];
  if (!(bytes instanceof Uint8Array)) return undefined;
  const { body } = decodeMessage(bytes).message;
  return body.kind === "genesis" ? body.epoch : undefined;
}

/** What was wrong in a log of its own may be copied, because nobody has it better. */
function verify(db: DatabaseSync, path: string, note: (seq: number) => void): RowFindings {
  const problems = new Problems();
  const found = verifyRows(db, problems, note);
  const [problem] = problems.list;
  if (problem === undefined || !hasLinks(db)) return found;
  throw new LogFault(
    "corrupt",
    `${path} is a node's copy that is not what its messages say (${problem}): copy from another node's, or remove this one and start its node, which fills it again`,
  );
}

function readPositions(db: DatabaseSync): readonly SavedPosition[] {
  const rows = db
    .prepare("select name, version, seq from snapshots where text = ? order by name")
    .all(NOTHING_SAVED);
  return rows.map((row) => ({
    name: String(row["name"]),
    version: Number(row["version"]),
    seq: Number(row["seq"]),
  }));
}
