import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseSeed, createRandom } from "../random.ts";
import { checkHistory, describeVerdict, type ProblemKind } from "./check-history.ts";
import type { Answer, History, HistoryEntry, Operation } from "./history.ts";
import { createRandomHistory, LEASE, MAX_GAP_MS } from "./random-history.ts";

const HISTORIES = 6;
const OPERATIONS = 4_000;
/** How many errors of each kind are put into each history, one at a time. */
const PLACES = 4;

type Pick = <T>(items: readonly T[]) => T;
type Ok = Extract<Answer, { type: "ok" }>;
type Acknowledged = Operation & { readonly answer: Ok };

interface SeededError {
  readonly name: string;
  readonly found: readonly ProblemKind[];
  readonly put: (history: History, pick: Pick) => History;
}

const ERRORS: readonly SeededError[] = [
  {
    name: "an acknowledged append that is gone, and everything behind it moved up",
    found: ["lost", "moved"],
    put: (history, pick) => {
      const { id } = pick(written(history));
      return eachLog(history, (entries) => renumber(entries.filter((entry) => entry.id !== id)));
    },
  },
  {
    name: "an acknowledged append that is gone, and its numbers with it",
    found: ["lost", "numbering"],
    put: (history, pick) => {
      const { id } = pick(written(history));
      return eachLog(history, (entries) => entries.filter((entry) => entry.id !== id));
    },
  },
  {
    name: "the newest entries gone everywhere",
    found: ["lost"],
    put: (history) => {
      const last = written(history).reduce((a, b) => (a.answer.seq > b.answer.seq ? a : b));
      const end = last.answer.seq - last.count;
      return eachLog(history, (entries) => entries.filter(({ seq }) => seq <= end));
    },
  },
  {
    name: "one entry of an append gone",
    found: ["torn"],
    put: (history, pick) => {
      const { id } = pick(written(history).filter(({ count }) => count > 1));
      const isPart = (entry: HistoryEntry): boolean => entry.id === id && entry.part === 0;
      return eachLog(history, (entries) => renumber(entries.filter((entry) => !isPart(entry))));
    },
  },
  {
    name: "an append that stands there twice",
    found: ["doubled"],
    put: (history, pick) => {
      const { id } = pick(written(history));
      return eachCopy(history, (entries) =>
        renumber([...entries, ...entries.filter((entry) => entry.id === id)]),
      );
    },
  },
  {
    name: "an append without an answer that stands there twice",
    found: ["doubled"],
    put: (history, pick) => {
      const read = new Set(history.copies[0]?.entries.map(({ id }) => id));
      const { id } = pick(
        history.operations.filter((one) => one.answer === undefined && read.has(one.id)),
      );
      return eachCopy(history, (entries) =>
        renumber([...entries, ...entries.filter((entry) => entry.id === id)]),
      );
    },
  },
  {
    name: "two appends that changed places",
    found: ["moved"],
    put: (history, pick) => {
      const [a, b] = pickPlain(history, pick);
      return eachLog(history, (entries) => swap(entries, a.id, b.id));
    },
  },
  {
    name: "two appends in another order than they were made, and acknowledged so",
    found: ["reordered"],
    put: (history, pick) => {
      const [a, b] = pickPlain(history, pick);
      const swapped = eachLog(history, (entries) => swap(entries, a.id, b.id));
      const answered = answer(swapped, a.id, { ...a.answer, seq: b.answer.seq });
      return answer(answered, b.id, { ...b.answer, seq: a.answer.seq });
    },
  },
  {
    name: "an entry under a grant that was not the newest any more",
    found: ["fenced-but-written"],
    put: (history, pick) => {
      const guarded = written(history).filter(({ guard }) => (guard?.version ?? 0) > 0);
      const { id, guard } = pick(guarded);
      return change(history, id, { guard: { stream: LEASE, version: guard!.version - 1 } });
    },
  },
  {
    name: "an append that was refused and is read",
    found: ["refused-but-read"],
    put: (history, pick) => {
      const { id, answer: ok } = pick(written(history));
      return answer(history, id, { type: "refused", reason: "conflict", at: ok.at });
    },
  },
  {
    name: "an entry that nobody asked for",
    found: ["uninvoked"],
    put: (history, pick) => {
      const { id } = pick(written(history));
      return eachLog(history, (entries) =>
        entries.map((entry) => (entry.id === id ? { ...entry, id: "ghost" } : entry)),
      );
    },
  },
  {
    name: "an append in another stream",
    found: ["uninvoked"],
    put: (history, pick) => {
      const { id } = pick(written(history));
      return eachLog(history, (entries) =>
        entries.map((entry) => (entry.id === id ? { ...entry, stream: "else" } : entry)),
      );
    },
  },
  {
    name: "two answers for a key",
    found: ["two-answers"],
    put: (history, pick) => {
      const repeats = acknowledged(history).filter((one) => one.answer.isRepeated);
      const { id, answer: ok } = pick(repeats);
      const other = pick(written(history).filter((one) => one.answer.seq !== ok.seq));
      return answer(history, id, { ...ok, seq: other.answer.seq });
    },
  },
  {
    name: "a key that is written by two attempts",
    found: ["two-answers"],
    put: (history, pick) => {
      const keyed = written(history).filter((one) => one.key !== undefined);
      const first = pick(keyed);
      const { id } = pick(keyed.filter((one) => one.id !== first.id));
      return change(history, id, { key: first.key! });
    },
  },
  {
    name: "a settled key that is refused",
    found: ["two-answers"],
    put: (history, pick) => {
      const settled = new Set(written(history).map(({ key }) => key?.id));
      const { id, answer: ok } = pick(
        acknowledged(history).filter((one) => one.answer.isRepeated && settled.has(one.key?.id)),
      );
      return answer(history, id, { type: "refused", reason: "conflict", at: ok.at });
    },
  },
  {
    name: "an append behind another version than it expected",
    found: ["wrong-predecessor"],
    put: (history, pick) => {
      const { id, expected } = pick(written(history).filter((one) => one.expected !== "any"));
      return change(history, id, { expected: Number(expected) + 1 });
    },
  },
  {
    name: "a node that reads another entry",
    found: ["copies-differ"],
    put: (history, pick) => {
      const { id } = pick(written(history));
      return oneCopy(history, "node b", (entries) =>
        entries.map((entry) => (entry.id === id ? { ...entry, id: "ghost" } : entry)),
      );
    },
  },
  {
    name: "a server whose copy lacks one entry",
    found: ["copies-differ"],
    put: (history, pick) => {
      const { answer: ok } = pick(written(history));
      return oneCopy(history, "server 2", (entries) => entries.filter(({ seq }) => seq !== ok.seq));
    },
  },
  {
    name: "a server whose copy lacks its newest entry",
    found: ["copies-differ"],
    put: (history) => oneCopy(history, "server 3", (entries) => entries.slice(0, -1)),
  },
  {
    name: "a tail with a gap",
    found: ["tail-differs"],
    put: (history, pick) => oneTail(history, pick, (entries, at) => entries.toSpliced(at, 1)),
  },
  {
    name: "a tail that repeats an entry",
    found: ["tail-differs"],
    put: (history, pick) =>
      oneTail(history, pick, (entries, at) => entries.toSpliced(at, 0, entries[at]!)),
  },
  {
    name: "a node that is without acknowledgment for too long",
    found: ["too-long"],
    put: (history) => {
      const { from } = history.disturbances[0]!;
      const isLate = ({ answer: given }: Operation): boolean =>
        given !== undefined && given.at > from && given.at <= from + MAX_GAP_MS;
      return {
        ...history,
        operations: history.operations.map((one) =>
          one.node === "b" && isLate(one) ? withoutAnswer(one) : one,
        ),
      };
    },
  },
];

test("a correct history passes, and every kind of error in it is found", (t) => {
  const seed = chooseSeed();
  t.diagnostic(`SEED=${seed}`);
  const random = createRandom(seed);
  const pick: Pick = (items) => items[Math.floor(random() * items.length)]!;
  for (let round = 0; round < HISTORIES; round++) {
    const history = createRandomHistory(random, OPERATIONS);
    const verdict = checkHistory(history);
    assert.deepEqual(verdict.problems, [], describeVerdict(verdict));
    for (const [name, count] of Object.entries(verdict.counts)) assert.ok(count > 0, name);
    if (round === 0) t.diagnostic(describeVerdict(verdict));
    for (const { name, found, put } of ERRORS) {
      for (let place = 0; place < PLACES; place++) {
        const damaged = checkHistory(put(history, pick));
        const kinds = damaged.problems.map(({ kind }) => kind);
        for (const kind of found) assert.ok(kinds.includes(kind), `${name}: ${kinds.join(", ")}`);
      }
    }
  }
});

test("a problem names what is wrong and where", () => {
  const history = createRandomHistory(createRandom(7), 200);
  const { id, answer: ok } = written(history)[0]!;
  const damaged = eachLog(history, (entries) => entries.filter((entry) => entry.id !== id));
  const text = describeVerdict(checkHistory(damaged));
  assert.ok(text.includes(`lost: ${id}, acknowledged at ${ok.seq}\n`), text);
  assert.match(text, /^compared acknowledged \d+, read \d+,/);
});

function acknowledged({ operations }: History): readonly Acknowledged[] {
  return operations.filter((one): one is Acknowledged => one.answer?.type === "ok");
}

/** Attempts that were acknowledged and did the writing themselves. */
function written(history: History): readonly Acknowledged[] {
  return acknowledged(history).filter((one) => !one.answer.isRepeated);
}

/** Two appends, the one acknowledged before the other began, that would do in either order. */
function pickPlain(history: History, pick: Pick): readonly [Acknowledged, Acknowledged] {
  const plain = written(history).filter(
    ({ expected, guard, key, count }) =>
      expected === "any" && guard === undefined && key === undefined && count === 1,
  );
  for (;;) {
    const [a, b] = [pick(plain), pick(plain)];
    if (a.stream !== LEASE && b.stream !== LEASE && a.answer.at < b.invokedAt) return [a, b];
  }
}

function swap(entries: readonly HistoryEntry[], a: string, b: string): readonly HistoryEntry[] {
  const named = new Map(entries.map((entry) => [entry.id, entry]));
  return entries.map((entry) => {
    const other = entry.id === a ? named.get(b) : entry.id === b ? named.get(a) : undefined;
    return other === undefined ? entry : { ...other, seq: entry.seq };
  });
}

function renumber(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  return entries.map((entry, index) => ({ ...entry, seq: index + 1 }));
}

type Edit = (entries: readonly HistoryEntry[]) => readonly HistoryEntry[];

/** What everyone reads is changed in the same way, and tails are pieces of it. */
function eachLog(history: History, edit: Edit): History {
  const changed = eachCopy(history, edit);
  const entries = changed.copies[0]!.entries;
  return {
    ...changed,
    tails: history.tails.map((tail) => ({
      ...tail,
      entries: entries.slice(tail.after, tail.after + tail.entries.length),
    })),
  };
}

function eachCopy(history: History, edit: Edit): History {
  const entries = edit(history.copies[0]!.entries);
  return { ...history, copies: history.copies.map((copy) => ({ ...copy, entries })) };
}

function oneCopy(history: History, holder: string, edit: Edit): History {
  return {
    ...history,
    copies: history.copies.map((copy) =>
      copy.holder === holder ? { ...copy, entries: edit(copy.entries) } : copy,
    ),
  };
}

function oneTail(
  history: History,
  pick: Pick,
  edit: (entries: readonly HistoryEntry[], at: number) => readonly HistoryEntry[],
): History {
  const chosen = pick(history.tails.filter(({ entries }) => entries.length > 10));
  const at = pick(Array.from({ length: chosen.entries.length - 1 }, (_, index) => index));
  const tails = history.tails.map((tail) =>
    tail === chosen ? { ...tail, entries: edit(tail.entries, at) } : tail,
  );
  return { ...history, tails };
}

function change(history: History, id: string, part: Partial<Operation>): History {
  const operations = history.operations.map((one) => (one.id === id ? { ...one, ...part } : one));
  return { ...history, operations };
}

function answer(history: History, id: string, given: Answer): History {
  return change(history, id, { answer: given });
}

function withoutAnswer({ answer: _answer, ...rest }: Operation): Operation {
  return rest;
}
