/** What the log promises beyond a plain history: rows, the order of a writer, refusals that are true, ages of keys. */
import type { Entry } from "@atrium/log";
import { idOf, type Attempt } from "./workload.ts";

export function checkAttempts(
  attempts: readonly Attempt[],
  entries: readonly Entry[],
): readonly string[] {
  const problems: string[] = [];
  const lasts = new Map(entries.map((entry) => [idOf(entry).id ?? "", entry.seq]));
  const before = predecessors(entries);
  const idle = new Set(attempts.filter(({ count }) => count === 0).map(({ id }) => id));
  const newest = new Map<string, number>();
  for (const attempt of attempts) {
    const { id, answer, behind, expected, isInformed } = attempt;
    const last = lasts.get(id);
    if (attempt.fault !== undefined) problems.push(`${id} met ${attempt.fault}`);
    const isBehindNothing = behind !== undefined && idle.has(behind);
    if (
      behind !== undefined &&
      !isBehindNothing &&
      last !== undefined &&
      before.get(id) !== behind
    ) {
      problems.push(`${id} stands behind ${before.get(id)} and not behind ${behind}`);
    }
    if (last !== undefined) {
      const writer = `${attempt.writer} of ${attempt.life}`;
      const previous = newest.get(writer) ?? 0;
      if (last < previous) problems.push(`${id} stands before what its writer asked for earlier`);
      newest.set(writer, last);
    }
    if (answer?.type !== "refused" || answer.head === undefined) continue;
    const told = answer.reason === "fenced" ? attempt.guard?.stream : attempt.stream;
    if (answer.head > 0 && entries[answer.head - 1]?.stream !== told) {
      problems.push(`${id} is told that ${told} is at ${answer.head}, where another stream is`);
    }
    if (answer.reason !== "conflict") continue;
    if (answer.head === expected) problems.push(`${id} expected what there is, and was refused`);
    if (isInformed && typeof expected === "number" && (answer.head ?? 0) < expected) {
      problems.push(`${id} expected ${expected} and is told ${answer.head}, which is older`);
    }
  }
  return problems;
}

/** By attempt: whose entry stands before its first one in the stream. */
function predecessors(entries: readonly Entry[]): ReadonlyMap<string, string | undefined> {
  const newest = new Map<string, string>();
  const found = new Map<string, string | undefined>();
  for (const entry of entries) {
    const { id = "" } = idOf(entry);
    if (!found.has(id)) found.set(id, newest.get(entry.stream));
    newest.set(entry.stream, id);
  }
  return found;
}

/** A key is not written again before it is old, and not answered any more once it is. */
export function checkKeyAges(
  attempts: readonly Attempt[],
  entries: readonly Entry[],
  retentionMs: number,
): readonly string[] {
  const keys = new Map(attempts.map(({ id, key }) => [id, key?.id]));
  const problems: string[] = [];
  const written = new Map<string, { readonly id: string; readonly at: number }>();
  /** By seq of the last entry: how old its key was at most. */
  const stamps = new Map<number, number>();
  let newestTime = 0;
  for (const [index, entry] of entries.entries()) {
    const { id = "" } = idOf(entry);
    const key = keys.get(id);
    const before = newestTime;
    newestTime = Math.max(newestTime, entry.at);
    if (key === undefined) continue;
    const earlier = written.get(key);
    if (earlier !== undefined && earlier.id !== id && earlier.at >= before - retentionMs) {
      problems.push(`${key} is written by ${earlier.id} and again by ${id}, too early`);
    }
    written.set(key, { id, at: newestTime });
    stamps.set(index + 1, newestTime);
  }
  for (const { id, key, count, answer, newestTime: known } of attempts) {
    if (key === undefined || count === 0 || answer?.type !== "ok" || !answer.isRepeated) continue;
    const stamp = stamps.get(answer.seq);
    if (stamp !== undefined && stamp < known - retentionMs) {
      problems.push(`${id} is answered by a key of ${stamp}, forgotten at ${known}`);
    }
  }
  return problems;
}

/** A key that writes nothing has one answer too, and one of its attempts was the first. */
export function checkIdleKeys(attempts: readonly Attempt[]): readonly string[] {
  const idle = attempts.filter(({ count }) => count === 0);
  return [...Map.groupBy(idle, ({ key }) => key?.id)].flatMap(([key, repeats]) => {
    const answers = repeats.flatMap(({ answer }) => (answer?.type === "ok" ? [answer] : []));
    const seqs = new Set(answers.map(({ seq }) => seq));
    const firsts = answers.filter(({ isRepeated }) => !isRepeated);
    if (seqs.size <= 1 && firsts.length <= 1) return [];
    return [`${key} has answers ${[...seqs].join(", ")}, ${firsts.length} of them the first`];
  });
}
