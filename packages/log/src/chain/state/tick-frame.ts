/** A tick on its way to the node that has the pen. */
import type { NewEntry } from "../../draft.ts";
import type { Expected } from "../../log.ts";
import type { Tick, TickAppend } from "./decide.ts";
import { decodeFrame, encodeFrame, type TextCursor } from "./frame.ts";
import type { ListCursor } from "./header-cursor.ts";
import { packAuthor, unpackAuthor } from "./message.ts";

const ANY = -1;
const AFTER_PREVIOUS = -2;
/** What an append has before its entries. */
const FIELDS = 6;

export function encodeTick({ author, counter, previous, appends }: Tick): Uint8Array {
  return encodeFrame((sized) => ({
    author: packAuthor(author),
    counter,
    previous: previous === undefined ? [] : [previous.stream, previous.version],
    appends: appends.map(({ stream, expected, key, guard, entries, texts }) => [
      stream,
      packExpected(expected),
      key?.id ?? "",
      key?.digest ?? "",
      guard?.stream ?? "",
      guard?.version ?? 0,
      ...entries.flatMap(({ type, at }, index) => [type, at, sized(texts[index] ?? "null")]),
    ]),
  }));
}

export function decodeTick(bytes: Uint8Array): Tick {
  const { header, texts } = decodeFrame(bytes);
  const previous = header.list("previous");
  return {
    author: unpackAuthor(header.list("author")),
    counter: header.number("counter"),
    previous:
      previous.length === 0 ? undefined : { stream: previous.text(0), version: previous.number(1) },
    appends: header
      .list("appends")
      .lists()
      .map((append) => unpackAppend(append, texts)),
    bytes: bytes.length,
  };
}

function unpackAppend(append: ListCursor, cursor: TextCursor): TickAppend {
  const stream = append.text(0);
  const [id, guarded] = [append.text(2), append.text(4)];
  const entries: NewEntry[] = [];
  const texts: string[] = [];
  for (let at = FIELDS; at < append.length; at += 3) {
    const entry = { seq: 0, stream, type: append.text(at), at: append.number(at + 1) };
    entries.push({ ...entry, data: undefined });
    texts.push(cursor.take(append.number(at + 2)));
  }
  return {
    stream,
    expected: unpackExpected(append.number(1)),
    key: id === "" ? undefined : { id, digest: append.text(3) },
    guard: guarded === "" ? undefined : { stream: guarded, version: append.number(5) },
    entries,
    texts,
    bytes: 0,
  };
}

function packExpected(expected: Expected): number {
  if (expected === "any") return ANY;
  return expected === "after-previous" ? AFTER_PREVIOUS : expected;
}

function unpackExpected(packed: number): Expected {
  if (packed === ANY) return "any";
  return packed === AFTER_PREVIOUS ? "after-previous" : packed;
}
