/** Entries gone bad in every way we could think of, made from good ones. */
import { DatabaseSync } from "node:sqlite";
import type { Entry } from "@atrium/log";

export interface Poison {
  readonly how: string;
  readonly entry: Entry;
}

const WRONG: readonly unknown[] = [
  null,
  7,
  "x",
  true,
  [],
  {},
  [null],
  { a: { b: 1 } },
  -1,
  "__proto__",
];

/** One good entry of each type. */
export function oneOfEach(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [entry.type, entry])).values()];
}

/** Data of no shape at all, each member gone, each member wrong, what is inside of members wrong, and a type nobody knows. */
export function* poisonsOf(entry: Entry): Generator<Poison> {
  for (const data of [undefined, null, 1, "text", [], [1], {}]) {
    yield { how: `data is ${JSON.stringify(data)}`, entry: { ...entry, data } };
  }
  yield { how: "unknown type", entry: { ...entry, type: `${entry.type}.v2` } };
  yield { how: "type of another stream", entry: { ...entry, type: "office.said" } };
  yield { how: "no stream we know", entry: { ...entry, stream: "newer/thing" } };
  yield { how: "time gone", entry: { ...entry, at: Number.NaN } };
  yield {
    how: "newer fields",
    entry: { ...entry, data: { ...record(entry.data), v: 9, extra: {} } },
  };
  yield* inside(entry.data, "", (data) => ({ ...entry, data }));
}

function* inside(value: unknown, path: string, put: (value: unknown) => Entry): Generator<Poison> {
  if (typeof value !== "object" || value === null) return;
  const names = Array.isArray(value) ? ["0"] : Object.keys(value);
  for (const name of names) {
    const at = `${path}/${name}`;
    const held = (value as Record<string, unknown>)[name];
    const withMember = (member: unknown): Entry => {
      if (Array.isArray(value)) return put([member, ...value.slice(1)]);
      return put({ ...value, [name]: member });
    };
    if (!Array.isArray(value)) {
      const { [name]: _gone, ...rest } = record(value);
      yield { how: `${at} is gone`, entry: put(rest) };
    }
    for (const wrong of WRONG) {
      yield { how: `${at} is ${JSON.stringify(wrong)}`, entry: withMember(wrong) };
    }
    yield* inside(held, at, withMember);
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Writes them behind the end of a log that nobody has open, past everyone who could refuse. */
export function appendPoison(file: string, entries: readonly Entry[]): void {
  using db = new DatabaseSync(file);
  const last = db.prepare("select max(seq) as seq from entries").get();
  let seq = Number(last?.["seq"] ?? 0);
  const add = db.prepare(
    "insert into entries (seq, stream, type, at, data) values (?, ?, ?, ?, ?)",
  );
  db.exec("begin");
  for (const { stream, type, at, data } of entries) {
    const text = data === undefined ? '{"cut off' : JSON.stringify(data);
    add.run(++seq, stream, type, Number.isNaN(at) ? "never" : at, text);
  }
  db.exec("commit");
}

export function readLog(file: string): readonly Entry[] {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("select seq, stream, type, at, data from entries order by seq").all();
  return rows.map(({ seq, stream, type, at, data }) => ({
    seq: Number(seq),
    stream: String(stream),
    type: String(type),
    at: Number(at),
    data: JSON.parse(String(data)) as unknown,
  }));
}
