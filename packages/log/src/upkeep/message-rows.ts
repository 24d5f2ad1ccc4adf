/**
 * What the messages in a node's copy say that its entries and keys are, message by message. On the way it looks at
 * the messages themselves: whether their bytes have the hashes that stand beside them, and each follows on the last.
 */
import type { DatabaseSync } from "node:sqlite";
import { decodeMessage, NO_HASH, type DecodedMessage } from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import { readNumber } from "../sqlite/schema.ts";
import type { Problems } from "./problems.ts";
import type { EntryRow, KeyRow } from "./read-rows.ts";

export interface MessageKey extends KeyRow {
  /** The message that says so. */
  readonly n: number;
}

export interface MessageRows {
  readonly n: number;
  /** The numbers of its entries; `last` is the one before `first` when it has none. */
  readonly first: number;
  readonly last: number;
  /** Undefined when its bytes are gone, as after an erasure, or damaged. */
  readonly entries: readonly EntryRow[] | undefined;
  readonly keys: readonly MessageKey[];
  /** The newest time that any entry has up to here. */
  readonly newestTime: number;
}

interface LinkRow {
  readonly n: number;
  readonly hash: string;
  readonly kind: string;
  readonly life: string;
  readonly first: number;
  readonly last: number;
  readonly newestTime: number;
  readonly bytes: Uint8Array | undefined;
}

export function* readMessageRows(db: DatabaseSync, problems: Problems): Generator<MessageRows> {
  const lastErasure = readNumber(db, "select max(n) from links where kind = 'erase'");
  let n = 0;
  let head = 0;
  let newestTime = 0;
  let hash: string | undefined = NO_HASH;
  for (const link of readLinks(db)) {
    if (link.n !== n + 1) {
      problems.add(`messages ${n + 1} to ${link.n - 1} are missing`);
      head = link.first - 1;
      hash = undefined;
    }
    n = link.n;
    if (link.bytes === undefined && !mayLackBytes(link, lastErasure)) {
      problems.add(`message ${n} has lost its bytes`);
    }
    const decoded = decode(link, problems);
    if (decoded === undefined) {
      const { last } = link;
      yield { n, first: head + 1, last, entries: undefined, keys: [], newestTime: link.newestTime };
      ({ hash, newestTime } = link);
      head = last;
      continue;
    }
    const { previous, first } = decoded.message;
    if (first !== head + 1 || (hash !== undefined && previous !== hash)) {
      problems.add(`message ${n} does not follow on message ${n - 1}`);
    }
    const rows = rowsOf(n, decoded, newestTime);
    if (!isFiledAs(link, decoded, rows)) problems.add(`message ${n} is filed as something else`);
    ({ hash } = decoded);
    ({ newestTime } = rows);
    head = rows.last;
    yield rows;
  }
}

function* readLinks(db: DatabaseSync): Generator<LinkRow> {
  const statement = db.prepare(
    "select n, hash, kind, life, first, last, newest, bytes from links order by n",
  );
  for (const row of statement.iterate()) {
    const bytes = row["bytes"];
    yield {
      n: Number(row["n"]),
      hash: String(row["hash"]),
      kind: String(row["kind"]),
      life: String(row["life"]),
      first: Number(row["first"]),
      last: Number(row["last"]),
      newestTime: Number(row["newest"]),
      bytes: bytes instanceof Uint8Array ? bytes : undefined,
    };
  }
}

/** An erasure takes the bytes of what brought the entries, and of the erasures before it. */
function mayLackBytes({ n, kind, first, last }: LinkRow, lastErasure: number): boolean {
  return n < lastErasure && (kind === "erase" || (kind === "ticks" && last >= first));
}

function decode({ n, bytes }: LinkRow, problems: Problems): DecodedMessage | undefined {
  if (bytes === undefined) return undefined;
  try {
    return decodeMessage(bytes);
  } catch (error) {
    if (!(error instanceof LogFault)) throw error;
    problems.add(`message ${n} is damaged: ${error.message}`);
    return undefined;
  }
}

/** The same steps as those of the copy's writer. */
function rowsOf(n: number, { message }: DecodedMessage, newest: number): MessageRows {
  const { first, body } = message;
  const entries: EntryRow[] = [];
  const keys: MessageKey[] = [];
  let newestTime = newest;
  for (const { appends } of body.kind === "ticks" ? body.ticks : []) {
    for (const { stream, key, entries: written } of appends) {
      for (const { type, at, text } of written) {
        entries.push({ seq: first + entries.length, stream, type, at, text });
        newestTime = Math.max(newestTime, at);
      }
      if (key === undefined) continue;
      const count = written.length;
      const at = count > 0 ? newestTime : null;
      keys.push({ ...key, n, seq: first + entries.length - 1, count, at });
    }
  }
  return { n, first, last: first + entries.length - 1, entries, keys, newestTime };
}

function isFiledAs(link: LinkRow, { message, hash }: DecodedMessage, rows: MessageRows): boolean {
  const { author, body } = message;
  return (
    link.hash === hash &&
    link.kind === body.kind &&
    link.life === author.life &&
    link.first === rows.first &&
    link.last === rows.last &&
    link.newestTime === rows.newestTime
  );
}
