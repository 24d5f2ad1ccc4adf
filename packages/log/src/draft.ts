/**
 * From what a writer hands in to what an engine writes.
 *
 * Everything is checked here, before it meets anyone else's appends: a draft that cannot be
 * kept must fail its own writer, never the commit it would have shared. The text is made once;
 * the entry keeps the writer's own object, which is the same thing as long as it is plain JSON.
 */
import {
  LogFault,
  type AppendOptions,
  type Draft,
  type Expected,
  type Guard,
  type Rewrite,
  type Snapshot,
} from "./log.ts";

/** An entry that has no number yet; the engine gives it one when it is written. */
export interface NewEntry {
  seq: number;
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  readonly data: unknown;
}

export interface EncodedAppend {
  readonly entries: readonly NewEntry[];
  /** The JSON of each entry's data. */
  readonly texts: readonly string[];
  readonly bytes: number;
}

export function encodeAppend(
  stream: string,
  expected: Expected,
  drafts: readonly Draft[],
  { key, guard }: AppendOptions = {},
): EncodedAppend {
  checkName("stream", stream);
  if (typeof expected === "number") checkVersion(stream, expected);
  checkGuard(guard);
  if (key !== undefined) {
    checkName("key", key.id);
    checkName("digest", key.digest);
  }
  const entries: NewEntry[] = [];
  const texts: string[] = [];
  let bytes = stream.length;
  for (const { type, at, data } of drafts) {
    checkName("type", type);
    if (!Number.isFinite(at)) throw malformed(`${type} in ${stream} has no valid time`);
    const text = encodeData(stream, type, data);
    entries.push({ seq: 0, stream, type, at, data });
    texts.push(text);
    bytes += Buffer.byteLength(text) + type.length;
  }
  return { entries, texts, bytes };
}

export function checkGuard(guard: Guard | undefined): void {
  if (guard === undefined) return;
  checkName("guard", guard.stream);
  checkVersion(guard.stream, guard.version);
}

function checkVersion(stream: string, version: number): void {
  if (Number.isSafeInteger(version) && version >= 0) return;
  throw malformed(`${version} is no version of ${stream}`);
}

/** Half a surrogate pair would come back as another character; NUL ends text for much of SQLite. */
function checkName(what: string, name: string): void {
  if (
    typeof name !== "string" ||
    name.length === 0 ||
    !name.isWellFormed() ||
    name.includes("\0")
  ) {
    throw malformed(`the ${what} ${JSON.stringify(name)} is not a proper name`);
  }
}

export function checkSnapshot(name: string, { text }: Snapshot): void {
  checkName("snapshot", name);
  if (!text.isWellFormed()) throw malformed(`the snapshot ${name} is not proper text`);
}

/** Data that is no JSON any more is undefined, which JSON never is: one damaged entry does not cost the rest. */
export function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is to be kept in place of an entry's data. */
export function encodeRewrite({ seq, data }: Rewrite): string {
  return encode(data, `the new data of entry ${seq} is not JSON`);
}

function encodeData(stream: string, type: string, data: unknown): string {
  return encode(data, `the data of ${type} in ${stream} is not JSON`);
}

function encode(data: unknown, refusal: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(data);
  } catch (cause) {
    throw malformed(refusal, cause);
  }
  if (text === undefined) throw malformed(refusal);
  return text;
}

export function malformed(reason: string, cause?: unknown): LogFault {
  return new LogFault("malformed", `nothing was written: ${reason}`, cause);
}
