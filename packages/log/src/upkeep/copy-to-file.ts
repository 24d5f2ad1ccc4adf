/**
 * A chain, a node's copy of one or a log file, as a log file of its own: the same numbers, keys and epoch.
 *
 *   draft -> grow or fill -> convert -> scrub -> check -> name
 *
 * What it becomes is compared with what it was made of before it gets the file's name. So a crash leaves either
 * nothing under that name or the whole log, and the next try goes on with a draft of the same log only.
 */
import { DatabaseSync } from "node:sqlite";
import { openChainLog, type ChainLogOptions } from "../chain/chain-log.ts";
import type { Chain, Link } from "../chain/chain.ts";
import { decodeMessage } from "../chain/state/message.ts";
import { LogFault } from "../log.ts";
import { readMeta } from "../sqlite/schema.ts";
import { convertDraft, scrubDraft, type Conversion, type Cursors } from "./convert-draft.ts";
import { CopyDraft } from "./copy-draft.ts";
import { CopyFile } from "./copy-file.ts";
import { openLogRows } from "./log-rows.ts";
import { nextEpoch } from "./next-epoch.ts";
import { Problems } from "./problems.ts";
import { hasLinks } from "./read-rows.ts";
import { agrees } from "./repair-chain.ts";
import { verifyFile, type FileFindings } from "./verify-file.ts";
import { verifyRows } from "./verify-rows.ts";

export interface CopyToFileOptions {
  readonly file: string;
  readonly cursors: Cursors;
  readonly note: (step: CopyStep, done: number, of: number) => void;
}

type CopyStep = "copying" | "converting" | "shrinking" | "checking" | "naming";

export interface CopiedFile {
  /** What was found in the copy before it got its name. */
  readonly entries: number;
  readonly keys: number;
  /** What was wrong before the copy is wrong after it. */
  readonly problems: readonly string[];
  /** The name that something else got which lay where the copy grew. */
  readonly aside: string | undefined;
}

export interface FileOfChain extends CopiedFile {
  readonly messages: number;
  readonly hash: string;
}

/** The chain must not grow meanwhile: whoever calls has made sure that no node runs. */
export async function copyChainToFile(
  { chain, bus }: Pick<ChainLogOptions, "chain" | "bus">,
  { file, cursors, note }: CopyToFileOptions,
): Promise<FileOfChain> {
  using draft = new CopyDraft(file);
  const end = await readEnd(chain);
  if (!(await isOf(draft, chain, end))) draft.discard();
  const { epoch, messages, hash } = end;
  let digest = draft.madeOf?.digest;
  if (digest === undefined) {
    if (!draft.isThere) draft.begin();
    await grow(draft, { chain, bus }, end, note);
    note("converting", messages, messages);
    digest = digestOf(draft);
    convertDraft(draft.path, { cursors, epoch, made: { ...end, digest } });
  }
  const found = finishCopy(draft, { epoch, digest }, note);
  if (!isSame(await readEnd(chain), end)) throw grown();
  note("naming", found.entries, found.entries);
  draft.finish();
  return { ...found, messages, hash };
}

interface FileToFileOptions extends CopyToFileOptions {
  /** The log is restored from a backup. */
  readonly isRestored?: boolean;
}

/** From a log file or a node's copy, which nobody has open. It is quick, so it begins anew after a crash. */
export function copyFileToFile(
  from: string,
  { file, cursors, note, isRestored = false }: FileToFileOptions,
): CopiedFile {
  using draft = new CopyDraft(file);
  using rows = openLogRows(from);
  const { digest } = rows.verify((seq) => note("checking", seq, rows.head));
  note("copying", 0, rows.head);
  draft.fillFrom(rows.path);
  const epoch = isRestored ? nextEpoch(rows.epoch, rows.head) : rows.epoch;
  note("converting", rows.head, rows.head);
  const made = { genesis: "", hash: "", messages: 0, digest };
  convertDraft(draft.path, { cursors, epoch, made });
  const found = finishCopy(draft, { epoch, digest }, note);
  note("naming", found.entries, found.entries);
  draft.finish();
  return found;
}

interface End {
  readonly epoch: string;
  readonly genesis: string;
  readonly messages: number;
  /** Of the last message. */
  readonly hash: string;
}

async function readEnd(chain: Chain): Promise<End> {
  const messages = await chain.last();
  if (messages === 0) {
    throw new LogFault("unreadable", "the stream is empty: there is nothing to copy");
  }
  const [first, newest] = [await chain.read(1), await chain.read(messages)];
  if (first === undefined || newest === undefined) {
    const lost = first === undefined ? 1 : messages;
    throw new LogFault(
      "corrupt",
      `message ${lost} is missing at the log's servers: look with atrium log verify`,
    );
  }
  const { message, hash: genesis } = decodeMessage(first);
  const { body } = message;
  if (body.kind !== "genesis") throw new LogFault("foreign", "the stream is no log of Atrium");
  return { epoch: body.epoch, genesis, messages, hash: decodeMessage(newest).hash };
}

function isSame(one: End, other: End): boolean {
  return one.messages === other.messages && one.hash === other.hash;
}

/** Whether the draft is whole and the beginning of that log: all of it, once it was converted and cannot grow. */
async function isOf(draft: CopyDraft, chain: Chain, end: End): Promise<boolean> {
  if (!draft.isThere) return true;
  if (!draft.isSound) return false;
  const made = draft.madeOf;
  if (made !== undefined) {
    if (made.genesis === end.genesis && made.messages > end.messages) throw shorter(draft, end);
    return made.messages === end.messages && made.hash === end.hash;
  }
  if (!isCopy(draft.path)) return false;
  using copy = new CopyFile(draft.path);
  if (copy.hashAt(1) !== end.genesis) return false;
  if (copy.applied > end.messages) throw shorter(draft, end);
  return await agrees(chain, end.messages, copy);
}

function isCopy(path: string): boolean {
  using db = new DatabaseSync(path, { readOnly: true });
  return hasLinks(db);
}

async function grow(
  draft: CopyDraft,
  { chain, bus }: Pick<ChainLogOptions, "chain" | "bus">,
  end: End,
  note: CopyToFileOptions["note"],
): Promise<void> {
  const { messages } = end;
  const noted = noteProgress(chain, (n) => note("copying", n, messages));
  const node = { id: "copy", life: `copy-${messages}` };
  const log = await openChainLog({ chain: noted, bus, node, copyFile: draft.path });
  const { applied, hash } = log.status();
  await log.close();
  if (applied !== messages || hash !== end.hash) throw grown();
}

function digestOf(draft: CopyDraft): string {
  using db = new DatabaseSync(draft.path, { readOnly: true });
  const problems = new Problems();
  const { digest } = verifyRows(db, problems, () => undefined);
  const [problem] = problems.list;
  if (problem !== undefined) throw spoilt(draft, problem);
  return digest;
}

function finishCopy(
  draft: CopyDraft,
  { epoch, digest }: Pick<Conversion, "epoch"> & Pick<FileFindings, "digest">,
  note: CopyToFileOptions["note"],
): CopiedFile {
  note("shrinking", 0, 1);
  scrubDraft(draft.path);
  note("checking", 0, 1);
  using db = new DatabaseSync(draft.path, { readOnly: true });
  const found = verifyFile(db, (seq) => note("checking", seq, seq));
  if (found.digest !== digest || readMeta(db, "epoch") !== epoch) {
    throw spoilt(draft, found.problems[0] ?? "it has other entries");
  }
  const { entries, keys, problems } = found;
  return { entries, keys, problems, aside: draft.aside };
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

function grown(): LogFault {
  return new LogFault(
    "locked",
    "the log grew while it was copied: stop every node, then copy again",
  );
}

function shorter({ path }: CopyDraft, { messages }: End): LogFault {
  return new LogFault(
    "corrupt",
    `the log's servers have ${messages} messages, and ${path}, which an earlier copy left, has more: they lost acknowledged entries; run atrium log repair, or remove that file to copy what they have`,
  );
}

/** It is made again from its source, so nothing of it need be kept. */
function spoilt(draft: CopyDraft, problem: string): LogFault {
  draft.discard();
  return new LogFault(
    "corrupt",
    `the copy is not what it was made of (${problem}), and was removed: look at the disk, then copy again`,
  );
}
