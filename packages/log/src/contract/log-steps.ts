/** What the tests of every log do over and over: write, read, follow, compare. */
import assert from "node:assert/strict";
import { LogFault, type AppendResult, type Draft, type Entry, type Log } from "../log.ts";

export type OpenStep = () => Log | Promise<Log>;
type Written = Extract<AppendResult, { ok: true }>;

export function drafts(...names: string[]): Draft[] {
  return names.map((type) => ({ type, at: 1_700_000_000_000, data: { name: type } }));
}

export async function append(log: Log, ...call: [...Parameters<Call>]): Promise<Written> {
  const [stream, expected, entries, key] = call;
  const options = key === undefined ? {} : { key };
  const answer = await log.append(stream, expected, entries, options);
  assert.ok(answer.ok, `refused: ${JSON.stringify(answer)}`);
  return answer;
}

type Call = (
  stream: string,
  expected: number | "any",
  entries: readonly Draft[],
  key?: { id: string; digest: string },
) => void;

export function write(log: Log, stream: string, entries: readonly Draft[]): Promise<Written> {
  return append(log, stream, "any", entries);
}

/** So many entries, turn about in the streams `even` and `odd`. */
export async function fill(log: Log, count: number): Promise<Entry[]> {
  const writes: Promise<Written>[] = [];
  for (let n = 0; n < count; n += 10) {
    const names = Array.from({ length: 10 }, (_, offset) => `n${n + offset}`);
    writes.push(write(log, (n / 10) % 2 === 0 ? "even" : "odd", drafts(...names)));
  }
  return (await Promise.all(writes)).flatMap(({ entries }) => entries);
}

/** Appends as a decider would: look at the stream, try, and look again after a conflict. */
export async function insist(
  log: Log,
  stream: string,
  name: string,
  conflicts: { count: number },
): Promise<void> {
  for (;;) {
    const [newest] = await readAll(log, { stream, backwards: true, limit: 1 });
    const answer = await log.append(stream, newest?.seq ?? 0, drafts(name));
    if (answer.ok) return;
    assert.equal(answer.reason, "conflict");
    conflicts.count++;
  }
}

export function readAll(log: Log, options?: Parameters<Log["read"]>[0]): Promise<Entry[]> {
  return Array.fromAsync(log.read(options));
}

/** Follows until the log holds `total` entries and all of them were seen. */
export async function follow(log: Log, after: number, total: number): Promise<Entry[]> {
  const before = (await readAll(log, { before: after + 1 })).length;
  const leave = new AbortController();
  return collect(log.tail(after, leave.signal), (entries) => {
    if (entries.length >= total - before) leave.abort();
  });
}

export async function nextBatch(batches: AsyncIterator<readonly Entry[]>): Promise<Entry[]> {
  const next = await batches.next();
  return next.done === true ? [] : [...next.value];
}

export async function collect(
  batches: AsyncIterable<readonly Entry[]>,
  watch?: (entries: readonly Entry[]) => void,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const batch of batches) {
    entries.push(...batch);
    watch?.(entries);
  }
  return entries;
}

export const types = (entries: readonly Entry[]): string[] => entries.map(({ type }) => type);
export const seqs = (entries: readonly Entry[]): number[] => entries.map(({ seq }) => seq);

export function assertAscending(entries: readonly Entry[]): void {
  let last = 0;
  for (const { seq } of entries) {
    assert.ok(seq > last, `${seq} after ${last}`);
    last = seq;
  }
}

export function isFault(code: LogFault["code"]): (error: unknown) => boolean {
  return (error) => error instanceof LogFault && error.code === code;
}
