/**
 * What stands at a place of the chain.
 *
 * Each names the hash of the message before, so that it proves all before it. Fields that this version does not know
 * are left alone; a newer format is refused as a whole.
 */
import { parseData } from "../../draft.ts";
import { LogFault, type Entry, type Key } from "../../log.ts";
import { decodeFrame, encodeFrame, type TextCursor } from "./frame.ts";
import type { HeaderCursor, ListCursor } from "./header-cursor.ts";

const FORMAT = 1;
/** Numbers, brackets and commas: of an append, refused or not, and of an entry. */
const APPEND_BYTES = 96;
const ENTRY_BYTES = 48;
/** Characters that are themselves in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** What the genesis names as the message before it. */
export const NO_HASH = "0".repeat(64);

/** A node in one of its lives. */
export interface ChainAuthor {
  readonly node: string;
  readonly life: string;
}

export interface MessageEntry {
  readonly type: string;
  readonly at: number;
  /** Its data, as JSON. */
  readonly text: string;
}

export interface MessageAppend {
  readonly stream: string;
  readonly key: Key | undefined;
  readonly entries: readonly MessageEntry[];
}

export type RefusalReason = "conflict" | "fenced" | "key-reused" | "repeated";

/** What became of an append that this message does not write. */
export interface MessageRefusal {
  /** Which of the tick's appends, counted from 0. */
  readonly index: number;
  readonly reason: RefusalReason;
  /** The version that is, or the seq that a repeated key wrote up to. */
  readonly seq: number;
  /** How many entries a repeated key wrote. */
  readonly count: number;
}

/** The appends that one node handed in together. */
export interface MessageTick {
  readonly author: ChainAuthor;
  /** Counts the ticks of a life from 1. */
  readonly counter: number;
  /** Those that are written, in order; with the refusals these are all. */
  readonly appends: readonly MessageAppend[];
  readonly refusals: readonly MessageRefusal[];
}

export interface MessageRewrite {
  readonly seq: number;
  readonly text: string;
}

export interface MessageGenesis {
  readonly kind: "genesis";
  readonly epoch: string;
  readonly keyRetentionMs: number;
  /** The log was begun as a copy, which is whole once it has this many entries. */
  readonly copiedTo?: number;
}

/** In characters, of which none takes more than three bytes. */
const MAX_ERASURE = 256 * 1024;
const REWRITE_OVERHEAD = 24;

/** Divides an erasure into as many messages as it needs. */
export function* erasureParts(
  rewrites: readonly MessageRewrite[],
): Iterable<readonly MessageRewrite[]> {
  let part: MessageRewrite[] = [];
  let size = 0;
  for (const rewrite of rewrites) {
    const own = rewrite.text.length + REWRITE_OVERHEAD;
    if (part.length > 0 && size + own > MAX_ERASURE) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(rewrite);
    size += own;
  }
  if (part.length > 0) yield part;
}

export type MessageBody =
  | MessageGenesis
  | { readonly kind: "ticks"; readonly ticks: readonly MessageTick[] }
  | { readonly kind: "erase"; readonly rewrites: readonly MessageRewrite[] };

export interface ChainMessage {
  readonly author: ChainAuthor;
  /** The hash of the message before. */
  readonly previous: string;
  /** The number of its first entry. */
  readonly first: number;
  readonly body: MessageBody;
}

export interface DecodedMessage {
  readonly message: ChainMessage;
  readonly hash: string;
}

export function encodeMessage({ author, previous, first, body }: ChainMessage): Uint8Array {
  return encodeFrame((sized) => ({
    format: FORMAT,
    author: packAuthor(author),
    previous,
    first,
    ...packBody(body, sized),
  }));
}

/** Throws a fault: `corrupt` when the bytes are not as they were written, `foreign` when they are of a newer format. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const { header, texts, hash } = decodeFrame(bytes);
  const format = header.number("format");
  if (format > FORMAT) {
    throw new LogFault(
      "foreign",
      `the log was written by a newer program (format ${format}, and this program knows ${FORMAT}): update this one`,
    );
  }
  const message = {
    author: unpackAuthor(header.list("author")),
    previous: header.text("previous"),
    first: header.number("first"),
    body: unpackBody(header, texts),
  };
  return { message, hash };
}

/** Whether the bytes are a message as it was written. */
export function isWhole(bytes: Uint8Array): boolean {
  try {
    decodeMessage(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The entries that a message writes, as readers get them. */
export function entriesOf({ first, body }: ChainMessage): Entry[] {
  if (body.kind !== "ticks") return [];
  let seq = first;
  return body.ticks.flatMap(({ appends }) =>
    appends.flatMap(({ stream, entries }) =>
      entries.map(({ type, at, text }) => ({
        seq: seq++,
        stream,
        type,
        at,
        data: parseData(text),
      })),
    ),
  );
}

/** How many bytes an append takes in a message, at most. */
export function sizeInMessage({ stream, key, guard, entries, texts }: SizedAppend): number {
  let size = APPEND_BYTES + nameBytes(stream) + nameBytes(guard?.stream ?? "");
  size += nameBytes(key?.id ?? "") + nameBytes(key?.digest ?? "");
  for (const { type } of entries) size += ENTRY_BYTES + nameBytes(type);
  for (const text of texts) size += Buffer.byteLength(text);
  return size;
}

interface SizedAppend {
  readonly stream: string;
  readonly key: Key | undefined;
  readonly guard: { readonly stream: string } | undefined;
  readonly entries: readonly { readonly type: string }[];
  readonly texts: readonly string[];
}

/** In JSON, where a strange character takes six bytes. */
function nameBytes(name: string): number {
  return 2 + (PLAIN.test(name) ? name.length : 6 * name.length);
}

function packBody(body: MessageBody, sized: (text: string) => number): object {
  switch (body.kind) {
    case "genesis":
      return { genesis: [body.epoch, body.keyRetentionMs, body.copiedTo ?? 0] };
    case "erase":
      return { erase: body.rewrites.map(({ seq, text }) => [seq, sized(text)]) };
    case "ticks":
      return {
        ticks: body.ticks.map(({ author, counter, appends, refusals }) => [
          packAuthor(author),
          counter,
          appends.map(({ stream, key, entries }) => [
            stream,
            key?.id ?? "",
            key?.digest ?? "",
            ...entries.flatMap(({ type, at, text }) => [type, at, sized(text)]),
          ]),
          refusals.map(({ index, reason, seq, count }) => [index, reason, seq, count]),
        ]),
      };
  }
}

function unpackBody(header: HeaderCursor, texts: TextCursor): MessageBody {
  if (header.has("ticks")) {
    const ticks = header
      .list("ticks")
      .lists()
      .map((tick) => unpackTick(tick, texts));
    return { kind: "ticks", ticks };
  }
  if (header.has("erase")) {
    const rewrites = header
      .list("erase")
      .lists()
      .map((rewrite) => ({ seq: rewrite.number(0), text: texts.take(rewrite.number(1)) }));
    return { kind: "erase", rewrites };
  }
  const genesis = header.list("genesis");
  const copiedTo = genesis.length > 2 ? genesis.number(2) : 0;
  return {
    kind: "genesis",
    epoch: genesis.text(0),
    keyRetentionMs: genesis.number(1),
    ...(copiedTo > 0 && { copiedTo }),
  };
}

function unpackTick(tick: ListCursor, texts: TextCursor): MessageTick {
  return {
    author: unpackAuthor(tick.list(0)),
    counter: tick.number(1),
    appends: tick
      .list(2)
      .lists()
      .map((append) => unpackAppend(append, texts)),
    refusals: tick.list(3).lists().map(unpackRefusal),
  };
}

function unpackAppend(append: ListCursor, texts: TextCursor): MessageAppend {
  const id = append.text(1);
  const entries: MessageEntry[] = [];
  for (let at = 3; at < append.length; at += 3) {
    entries.push({
      type: append.text(at),
      at: append.number(at + 1),
      text: texts.take(append.number(at + 2)),
    });
  }
  const key = id === "" ? undefined : { id, digest: append.text(2) };
  return { stream: append.text(0), key, entries };
}

function unpackRefusal(refusal: ListCursor): MessageRefusal {
  const [index, seq, count] = [refusal.number(0), refusal.number(2), refusal.number(3)];
  return { index, reason: toReason(refusal.text(1)), seq, count };
}

function toReason(reason: string): RefusalReason {
  switch (reason) {
    case "conflict":
    case "fenced":
    case "key-reused":
    case "repeated":
      return reason;
  }
  throw new LogFault("foreign", `a message refuses with "${reason}": update this program`);
}

export function packAuthor({ node, life }: ChainAuthor): [string, string] {
  return [node, life];
}

export function unpackAuthor(author: ListCursor): ChainAuthor {
  return { node: author.text(0), life: author.text(1) };
}
