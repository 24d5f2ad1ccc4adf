/** Histories as a log that keeps its promises would give them: for the test of whoever checks histories. */
import type { Answer, History, HistoryEntry, Operation } from "./history.ts";

const NODES = ["a", "b", "c"];
const WRITERS = 12;
const STREAMS = ["hot", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];
export const LEASE = "lease";
/** Longer than any of the pauses below: nobody in a correct history waits as long. */
export const MAX_GAP_MS = 400;

export function createRandomHistory(random: () => number, size: number): History {
  const log = new SimulatedLog();
  const operations: Operation[] = [];
  const pending: { at: number; run: (now: number) => void }[] = [];
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

  const invoke = (writer: number, now: number, again?: Operation): void => {
    const attempt = again ?? draw(writer);
    const operation = { ...attempt, id: `${operations.length}`, invokedAt: now };
    const index = operations.push(operation) - 1;
    pending.push({
      at: now + random() * 8,
      run: (decidedAt) => {
        // Some that get no answer never reached the log.
        const isLost = random() < 0.03;
        const result = isLost && random() < 0.5 ? undefined : log.append(operation);
        pending.push({
          at: decidedAt + random() * 8,
          run: (at) => {
            const answer = isLost || result === undefined ? undefined : { ...result, at };
            if (answer !== undefined) operations[index] = { ...operation, answer };
            if (operations.length >= size) return;
            const isAskedAgain = operation.key !== undefined && (isLost || random() < 0.05);
            const repeat = isAskedAgain ? { ...operation, node: pick(NODES) } : undefined;
            pending.push({
              at: at + 0.01 + random() * 4,
              run: (later) => invoke(writer, later, repeat),
            });
          },
        });
      },
    });
  };

  const draw = (writer: number): Omit<Operation, "id" | "invokedAt"> => {
    const isGrant = writer === 0 && random() < 0.1;
    const stream = isGrant ? LEASE : pick(STREAMS);
    const n = operations.length;
    return {
      node: NODES[writer % NODES.length]!,
      stream,
      expected: random() < 0.5 ? log.versionOf(stream) : "any",
      count: 1 + Math.floor(random() * 3),
      ...(random() < 0.5 ? { key: { id: `key ${n}`, digest: `${n}` } } : {}),
      ...(!isGrant && random() < 0.3
        ? { guard: { stream: LEASE, version: log.versionOf(LEASE) } }
        : {}),
    };
  };

  for (let writer = 0; writer < WRITERS; writer++) {
    pending.push({ at: random(), run: (now) => invoke(writer, now) });
  }
  let end = 0;
  while (pending.length > 0) {
    const next = pending.reduce((first, event) => (event.at < first.at ? event : first));
    pending.splice(pending.indexOf(next), 1);
    end = next.at;
    next.run(next.at);
  }
  const { entries } = log;
  const holders = [...NODES.map((name) => `node ${name}`), "server 1", "server 2", "server 3"];
  return {
    operations,
    tails: NODES.flatMap((node) =>
      [0, random(), random()].map((part) => {
        const after = Math.floor(part * entries.length);
        const length = Math.ceil(random() * (entries.length - after));
        return { node, after, entries: entries.slice(after, after + length) };
      }),
    ),
    copies: holders.map((holder) => ({ holder, entries: [...entries] })),
    disturbances: [
      { name: "nothing", nodes: NODES, from: end * 0.25, until: end * 0.75, maxGapMs: MAX_GAP_MS },
    ],
  };
}

type Undated<T> = T extends unknown ? Omit<T, "at"> : never;

class SimulatedLog {
  readonly entries: HistoryEntry[] = [];
  readonly #versions = new Map<string, number>();
  readonly #keys = new Map<string, { readonly digest: string; readonly seq: number }>();

  versionOf(stream: string): number {
    return this.#versions.get(stream) ?? 0;
  }

  append({ id, stream, expected, count, guard, key }: Operation): Undated<Answer> {
    const known = key === undefined ? undefined : this.#keys.get(key.id);
    if (known !== undefined) {
      if (known.digest !== key?.digest) return { type: "refused", reason: "key-reused" };
      return { type: "ok", seq: known.seq, isRepeated: true };
    }
    if (guard !== undefined && this.versionOf(guard.stream) !== guard.version) {
      return { type: "refused", reason: "fenced" };
    }
    if (expected !== "any" && this.versionOf(stream) !== expected) {
      return { type: "refused", reason: "conflict" };
    }
    for (let part = 0; part < count; part++) {
      this.entries.push({ seq: this.entries.length + 1, stream, id, part });
    }
    const seq = this.entries.length;
    this.#versions.set(stream, seq);
    if (key !== undefined) this.#keys.set(key.id, { digest: key.digest, seq });
    return { type: "ok", seq, isRepeated: false };
  }
}
