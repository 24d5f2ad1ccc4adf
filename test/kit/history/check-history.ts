/**
 * Holds a history against what a log promises. An acknowledgment says where its entries stand, so no order has to be
 * searched for: every check is one pass.
 */
import type { Answer, Disturbance, History, HistoryEntry, LogCopy, Operation } from "./history.ts";

export type ProblemKind =
  | "lost"
  | "moved"
  | "torn"
  | "doubled"
  | "uninvoked"
  | "refused-but-read"
  | "numbering"
  | "copies-differ"
  | "tail-differs"
  | "reordered"
  | "wrong-predecessor"
  | "fenced-but-written"
  | "two-answers"
  | "too-long";

export interface Problem {
  readonly kind: ProblemKind;
  readonly text: string;
}

/** The longest time that a node was without an acknowledgment. */
export interface Gap {
  readonly disturbance: string;
  readonly node: string;
  readonly ms: number;
  readonly maxMs: number;
}

export interface Verdict {
  readonly problems: readonly Problem[];
  /** How much each check compared: a check that compared nothing proves nothing. */
  readonly counts: Readonly<Record<keyof typeof CHECKS, number>>;
  readonly gaps: readonly Gap[];
}

/** Neighboring entries that one attempt wrote. */
interface Append {
  readonly id: string;
  readonly stream: string;
  readonly first: number;
  readonly last: number;
  readonly parts: readonly (number | undefined)[];
}

interface Facts {
  readonly history: History;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The first copy, which the others are compared with. */
  readonly log: LogCopy;
  readonly appends: readonly Append[];
}

interface Finding {
  readonly compared: number;
  readonly problems: readonly Problem[];
}

const CHECKS = {
  acknowledged: checkAcknowledged,
  read: checkRead,
  copies: checkCopies,
  tails: checkTails,
  order: checkOrder,
  predecessors: checkPredecessors,
  guards: checkGuards,
  keys: checkKeys,
  gaps: checkGaps,
} satisfies Record<string, (facts: Facts) => Finding>;

export function checkHistory(history: History): Verdict {
  const log = history.copies[0] ?? { holder: "nobody", entries: [] };
  const operations = new Map(history.operations.map((operation) => [operation.id, operation]));
  const facts = { history, operations, log, appends: appendsIn(log.entries) };
  const findings = Object.entries(CHECKS).map(([name, check]) => [name, check(facts)] as const);
  return {
    problems: findings.flatMap(([, { problems }]) => problems),
    counts: Object.fromEntries(
      findings.map(([name, { compared }]) => [name, compared]),
    ) as Verdict["counts"],
    gaps: history.disturbances.flatMap((disturbance) => gapsOf(disturbance, history.operations)),
  };
}

/** The counts and the first problems, for a person. */
export function describeVerdict({ counts, problems }: Verdict): string {
  const shown = problems.slice(0, 20).map(({ kind, text }) => `${kind}: ${text}`);
  const more = problems.length - shown.length;
  return [
    `compared ${Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")}`,
    ...shown,
    ...(more > 0 ? [`and ${more} more problems`] : []),
  ].join("\n");
}

/** Every acknowledged append is read, whole, at the position that the acknowledgment names. */
function checkAcknowledged({ history, operations, appends }: Facts): Finding {
  const placed = new Map(appends.map((append) => [append.id, append]));
  const byLast = new Map(appends.map((append) => [append.last, append]));
  const problems: Problem[] = [];
  let compared = 0;
  for (const { id, key, count, answer } of history.operations) {
    if (answer?.type !== "ok") continue;
    compared += 1;
    const own = placed.get(id);
    if (answer.isRepeated) {
      const there = byLast.get(answer.seq);
      const writer = operations.get(there?.id ?? "");
      if (writer?.key === undefined || writer.key.id !== key?.id) {
        problems.push({ kind: "lost", text: `${id} was written before at ${answer.seq}, it says` });
      }
    } else if (own === undefined) {
      problems.push({ kind: "lost", text: `${id}, acknowledged at ${answer.seq}` });
    } else if (own.last !== answer.seq) {
      const text = `${id}, acknowledged at ${answer.seq}, stands at ${own.last}`;
      problems.push({ kind: own.parts.length === count ? "moved" : "torn", text });
    }
  }
  return { compared, problems };
}

/** Nothing is read that nobody asked for or that was refused, and nothing twice or in pieces. */
function checkRead({ operations, appends }: Facts): Finding {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { id, stream, last, parts } of appends) {
    const operation = operations.get(id);
    const text = `${id} at ${last}`;
    if (operation?.stream !== stream) problems.push({ kind: "uninvoked", text });
    else if (parts.length !== operation.count || parts.some((part, index) => part !== index)) {
      problems.push({ kind: "torn", text: `${text}: parts ${parts.join(", ")}` });
    }
    if (operation?.answer?.type === "refused") problems.push({ kind: "refused-but-read", text });
    if (seen.has(id)) problems.push({ kind: "doubled", text });
    seen.add(id);
  }
  return { compared: appends.length, problems };
}

/** All copies are the same, numbered from 1 without a gap. */
function checkCopies({ history, log }: Facts): Finding {
  const gap = log.entries.find(({ seq }, index) => seq !== index + 1);
  const problems: Problem[] = [];
  if (gap !== undefined) {
    problems.push({ kind: "numbering", text: `${log.holder} jumps to ${gap.seq}` });
  }
  let compared = log.entries.length;
  for (const { holder, entries } of history.copies.slice(1)) {
    compared += entries.length;
    const difference = firstDifference(log.entries, entries);
    if (difference === undefined) continue;
    const lengths = `${entries.length} entries, ${log.holder} ${log.entries.length}`;
    const text = `${holder} has ${lengths}: ${difference}`;
    problems.push({ kind: "copies-differ", text });
  }
  return { compared, problems };
}

/** Whoever follows a node is given a piece of the log: no gap, no repeat, in order. */
function checkTails({ history, log }: Facts): Finding {
  const problems: Problem[] = [];
  let compared = 0;
  for (const { node, after, entries } of history.tails) {
    compared += entries.length;
    const piece = log.entries.slice(after, after + entries.length);
    const difference = firstDifference(piece, entries);
    if (difference !== undefined) {
      problems.push({
        kind: "tail-differs",
        text: `tail of ${node} after ${after}: ${difference}`,
      });
    }
  }
  return { compared, problems };
}

/** What was invoked after an acknowledgment stands behind it: linearizability, for a log. */
function checkOrder({ history, operations, appends }: Facts): Finding {
  const invocations = history.operations.toSorted((a, b) => a.invokedAt - b.invokedAt);
  const answers = history.operations.flatMap(({ answer }) => okOf(answer));
  answers.sort((a, b) => a.at - b.at);
  const floors = new Map<string, number>();
  let floor = 0;
  let next = 0;
  for (const { id, invokedAt } of invocations) {
    for (let ok = answers[next]; ok !== undefined && ok.at < invokedAt; ok = answers[next]) {
      floor = Math.max(floor, ok.seq);
      next += 1;
    }
    floors.set(id, floor);
  }
  const problems = appends
    .filter(({ id, first }) => operations.has(id) && first <= (floors.get(id) ?? 0))
    .map(({ id, first }) => {
      const text = `${id} stands at ${first}, invoked after ${floors.get(id)} was acknowledged`;
      return { kind: "reordered" as const, text };
    });
  return { compared: invocations.length + answers.length, problems };
}

/** Whoever expected a version wrote right behind it. */
function checkPredecessors(facts: Facts): Finding {
  return checkVersions(facts, ({ id, stream, expected }, versionOf) => {
    if (expected === "any") return undefined;
    const before = versionOf(stream);
    if (before === expected) return [];
    const text = `${id} expected ${stream} at ${expected}, which was at ${before}`;
    return [{ kind: "wrong-predecessor", text }];
  });
}

/** Nothing stands behind a newer grant than the one it was written under. */
function checkGuards(facts: Facts): Finding {
  return checkVersions(facts, ({ id, guard }, versionOf) => {
    if (guard === undefined) return undefined;
    const version = versionOf(guard.stream);
    if (version === guard.version) return [];
    const text = `${id} is guarded by ${guard.stream} at ${guard.version}, which was at ${version}`;
    return [{ kind: "fenced-but-written", text }];
  });
}

/** One key, one answer: one of its attempts is written, and all learn where. */
function checkKeys({ history, appends }: Facts): Finding {
  const attempts = history.operations.filter(({ key }) => key !== undefined);
  const lasts = new Map(appends.map(({ id, last }) => [id, last]));
  const problems: Problem[] = [];
  for (const [key, operations] of Map.groupBy(attempts, (attempt) => attempt.key?.id)) {
    const written = operations.filter(({ id }) => lasts.has(id));
    const acknowledged = operations.filter(({ answer }) => answer?.type === "ok");
    const seqs = new Set([
      ...written.map(({ id }) => lasts.get(id)),
      ...acknowledged.flatMap(({ answer }) => okOf(answer)).map(({ seq }) => seq),
    ]);
    const digests = new Set([...written, ...acknowledged].map((attempt) => attempt.key?.digest));
    if (seqs.size > 1 || digests.size > 1 || isRefusedLater(operations)) {
      problems.push({ kind: "two-answers", text: `${key}: ${[...seqs].join(", ")}` });
    }
  }
  return { compared: attempts.length, problems };
}

/** Nobody waits longer for an acknowledgment than the disturbance allows. */
function checkGaps({ history }: Facts): Finding {
  const gaps = history.disturbances.flatMap((disturbance) =>
    gapsOf(disturbance, history.operations),
  );
  const problems = gaps
    .filter(({ ms, maxMs }) => ms > maxMs)
    .map(({ disturbance, node, ms, maxMs }) => {
      const text = `${disturbance}: ${node} was without acknowledgment for ${Math.round(ms)} ms of ${maxMs}`;
      return { kind: "too-long" as const, text };
    });
  return { compared: gaps.length, problems };
}

/** True when a key that an acknowledgment had settled is refused to someone who asked for the same afterwards. */
function isRefusedLater(operations: readonly Operation[]): boolean {
  const settled = operations.flatMap(({ key, answer }) =>
    okOf(answer).map(({ at }) => ({ at, digest: key?.digest })),
  );
  return operations.some(
    ({ key, invokedAt, answer }) =>
      answer?.type === "refused" &&
      answer.reason !== "busy" &&
      answer.reason !== "unavailable" &&
      settled.some(({ at, digest }) => at < invokedAt && digest === key?.digest),
  );
}

/** Walks through the log with the version that every stream has just before an append; undefined: nothing to compare. */
function checkVersions(
  { operations, appends, log }: Facts,
  check: (
    operation: Operation,
    versionOf: (stream: string) => number,
  ) => readonly Problem[] | undefined,
): Finding {
  const starts = new Map(appends.map((append) => [append.first, append]));
  const versions = new Map<string, number>();
  const problems: Problem[] = [];
  let compared = 0;
  for (const { seq, stream } of log.entries) {
    const operation = operations.get(starts.get(seq)?.id ?? "");
    const found =
      operation === undefined ? undefined : check(operation, (name) => versions.get(name) ?? 0);
    if (found !== undefined) {
      compared += 1;
      problems.push(...found);
    }
    versions.set(stream, seq);
  }
  return { compared, problems };
}

function gapsOf(
  { name, nodes, from, until, maxGapMs }: Disturbance,
  operations: readonly Operation[],
): readonly Gap[] {
  return nodes.map((node) => {
    const times = operations
      .filter((operation) => operation.node === node)
      .flatMap(({ answer }) => okOf(answer))
      .map(({ at }) => at)
      .filter((at) => at > from && at < until);
    times.sort((a, b) => a - b);
    times.push(until);
    let ms = 0;
    let before = from;
    for (const at of times) {
      ms = Math.max(ms, at - before);
      before = at;
    }
    return { disturbance: name, node, ms, maxMs: maxGapMs };
  });
}

function appendsIn(entries: readonly HistoryEntry[]): readonly Append[] {
  const appends: { id: string; stream: string; first: number; last: number; parts: number[] }[] =
    [];
  let before: HistoryEntry | undefined;
  for (const entry of entries) {
    const { id, part = 0, seq, stream } = entry;
    const append = appends.at(-1);
    const isContinued =
      id !== undefined &&
      before?.id === id &&
      before.stream === stream &&
      before.seq + 1 === seq &&
      (before.part ?? 0) + 1 === part;
    if (isContinued && append !== undefined) {
      append.last = seq;
      append.parts.push(part);
    } else if (id !== undefined) appends.push({ id, stream, first: seq, last: seq, parts: [part] });
    before = entry;
  }
  return appends;
}

function firstDifference(
  expected: readonly HistoryEntry[],
  actual: readonly HistoryEntry[],
): string | undefined {
  for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
    const [a, b] = [expected[index], actual[index]];
    if (a?.seq !== b?.seq || a?.id !== b?.id || a?.part !== b?.part || a?.stream !== b?.stream) {
      return `${describeEntry(b)} rather than ${describeEntry(a)}`;
    }
  }
  return undefined;
}

function describeEntry(entry: HistoryEntry | undefined): string {
  return entry === undefined ? "nothing" : `${entry.id}/${entry.part} at ${entry.seq}`;
}

function okOf(answer: Answer | undefined): readonly Extract<Answer, { type: "ok" }>[] {
  return answer?.type === "ok" ? [answer] : [];
}
