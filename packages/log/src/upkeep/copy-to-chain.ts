/**
 * A log file, written again as a chain: the same numbers, keys and epoch.
 *
 * The messages are a function of the file alone. So whoever begins again after a crash makes the same ones, finds in
 * the chain those that stand there, and goes on behind them; and to check the copy is to make them once more.
 */
import type { Chain } from "../chain/chain.ts";
import {
  decodeMessage,
  encodeMessage,
  NO_HASH,
  type ChainAuthor,
  type MessageAppend,
  type MessageBody,
} from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import { appendsIn } from "./appends.ts";
import type { LogRows } from "./log-rows.ts";
import { nextEpoch } from "./next-epoch.ts";
import type { KeyRow } from "./read-rows.ts";

export interface CopyToChainOptions {
  readonly rows: LogRows;
  readonly chain: Chain;
  readonly keyRetentionMs: number;
  /** The log is restored from a backup. */
  readonly isRestored?: boolean;
  /** What is written behind everything that the file has, because nodes keep it in the log. */
  readonly behind: readonly MessageAppend[];
  /** Called now and then with the number of the last entry that stands in the chain, or was checked there. */
  readonly note: (step: "copying" | "checking", seq: number) => void;
}

export interface CopiedChain {
  readonly entries: number;
  readonly messages: number;
  /** The hash of the last message, which covers all before it. */
  readonly hash: string;
}

const TICK_CHARACTERS = 256 * 1024;
const PATIENCE = 30;

/** Rejects when something else stands in the chain; what was copied until then stays and is found the next time. */
export async function copyToChain(options: CopyToChainOptions): Promise<CopiedChain> {
  const { rows, chain, note } = options;
  if (rows.isCopy) rows.verify((seq) => note("checking", seq));
  const standing = await chain.last();
  let n = 0;
  let hash = NO_HASH;
  for (const { bytes, hash: own, last } of messagesOf(options)) {
    if (n < standing) await expectAt(chain, ++n, bytes, rows.path);
    else await publish(chain, n++, bytes, rows.path);
    hash = own;
    note("copying", last);
  }
  if ((await chain.last()) !== n) throw notOurs(n + 1, rows.path);
  let checked = 0;
  for (const { bytes, last } of messagesOf(options)) {
    await expectAt(chain, ++checked, bytes, rows.path);
    note("checking", last);
  }
  return { entries: rows.head + countOf(options.behind), messages: n, hash };
}

interface MadeMessage {
  readonly bytes: Uint8Array;
  readonly hash: string;
  /** The number of its last entry. */
  readonly last: number;
}

function* messagesOf(options: CopyToChainOptions): Generator<MadeMessage> {
  const { rows, chain, keyRetentionMs, behind } = options;
  const { head } = rows;
  const epoch = options.isRestored === true ? nextEpoch(rows.epoch, head) : rows.epoch;
  const author: ChainAuthor = { node: "copy", life: `copy-${epoch}` };
  let previous = NO_HASH;
  let counter = 0;
  const make = (first: number, last: number, body: MessageBody): MadeMessage => {
    const bytes = encodeMessage({ author, previous, first, body });
    if (bytes.length > chain.maxBytes) throw tooBig(first, last, bytes.length, chain.maxBytes);
    previous = decodeMessage(bytes).hash;
    return { bytes, hash: previous, last };
  };
  const copiedTo = head + countOf(behind);
  yield make(1, 0, { kind: "genesis", epoch, keyRetentionMs, copiedTo });
  const horizon = rows.newestTime - keyRetentionMs;
  const isKept = ({ at }: KeyRow): boolean => at === null || at >= horizon;
  let first = 1;
  for (const appends of ticksOf(concat(appendsIn(rows, isKept), behind))) {
    const count = countOf(appends);
    const tick = { author, counter: ++counter, appends, refusals: [] };
    yield make(first, first + count - 1, { kind: "ticks", ticks: [tick] });
    first += count;
  }
}

function* concat<Item>(...lists: readonly Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list;
}

function countOf(appends: readonly MessageAppend[]): number {
  return appends.reduce((sum, { entries }) => sum + entries.length, 0);
}

/** Appends without entries go with the one before: the chain is whole once its last entry stands there. */
function* ticksOf(appends: Iterable<MessageAppend>): Generator<readonly MessageAppend[]> {
  let tick: MessageAppend[] = [];
  let size = 0;
  for (const append of appends) {
    const characters = sizeOf(append);
    const isFull = tick.length > 0 && size + characters > TICK_CHARACTERS;
    if (isFull && append.entries.length > 0) {
      yield tick;
      tick = [];
      size = 0;
    }
    tick.push(append);
    size += characters;
  }
  if (tick.length > 0) yield tick;
}

function sizeOf({ stream, key, entries }: MessageAppend): number {
  const names = stream.length + (key?.id.length ?? 0) + (key?.digest.length ?? 0);
  return entries.reduce((sum, { type, text }) => sum + type.length + text.length, names);
}

async function publish(
  chain: Chain,
  after: number,
  bytes: Uint8Array,
  path: string,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    if ((await chain.publish(after, bytes)) === "written") return;
    const standing = await readWhenPossible(chain, after + 1);
    if (standing === undefined && tries < PATIENCE) continue;
    if (standing === undefined) {
      const why = chain.trouble ?? "they do not acknowledge what is sent";
      throw new LogFault(
        "unreadable",
        `The log's servers take nothing: ${why}. Start the copy again later; it goes on where it was.`,
      );
    }
    if (!Buffer.from(standing).equals(bytes)) throw notOurs(after + 1, path);
    return;
  }
}

async function expectAt(chain: Chain, n: number, bytes: Uint8Array, path: string): Promise<void> {
  const standing = await readWhenPossible(chain, n);
  if (standing !== undefined && Buffer.from(standing).equals(bytes)) return;
  if (standing === undefined) {
    throw new LogFault("corrupt", `message ${n} is missing at the log's servers`);
  }
  throw notOurs(n, path);
}

/** Servers that choose another leader cannot tell for a few seconds. */
async function readWhenPossible(chain: Chain, n: number): Promise<Uint8Array | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await chain.read(n);
    } catch (error) {
      if (error instanceof LogFault || tries === PATIENCE) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

function notOurs(n: number, path: string): LogFault {
  return new LogFault(
    "foreign",
    `the stream is not empty, and message ${n} in it is not what ${path} gives: copy to another stream (--log-stream), or remove that one first if nobody needs it`,
  );
}

function tooBig(first: number, last: number, bytes: number, limit: number): LogFault {
  const which = first === last ? `entry ${first} needs` : `entries ${first} to ${last} need`;
  return new LogFault(
    "malformed",
    `${which} ${bytes} bytes in one message, and the log's servers take ${limit}: raise max_payload there`,
  );
}
