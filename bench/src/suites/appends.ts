/**
 * What does the log make of one disk: how much does committing many writers together win over one
 * durable insert at a time, and how near does it come to the bare file?
 *
 * Everyone is handed the same objects, has to turn them into JSON, and has them on disk (fsync) before
 * going on. Atrium's log also numbers, checks versions and keys, and publishes to its readers.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteLog, type Draft, type Log } from "@atrium/log";
import { interleave, type Lane } from "../measure/interleave.ts";
import { compare, type Suite } from "../report/finding.ts";
import { openBareFile } from "../storage/bare-file.ts";
import { openBareSqlite } from "../storage/bare-sqlite.ts";

const REPETITIONS = 5;
const FOR_MS = 1_000;
const WRITERS = 64;
const BATCH = 100;
const ONE_TRANSACTION = 20_000;
const MAX_ROWS = 1_000_000;

/** Near 300 bytes as JSON. */
const drafts: readonly Draft[] = Array.from({ length: 1_000 }, (_, index) => ({
  type: "message.injected",
  at: 1_794_733_214_482 + index,
  data: {
    messageId: `40217459-0179-4979-bfc8-${String(index).padStart(12, "0")}`,
    text: "What was said, at about the length of a short paragraph. ".repeat(4).trim(),
    label: null,
  },
}));

export const appends: Suite = {
  name: "appends",
  question: "What does committing together win, and what does it leave of the bare disk?",
  async run() {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await mkdtempDisposable(join(tmpdir(), "atrium-bench-")));
    const log = stack.use(
      await openSqliteLog({ file: join(folder.path, "log.db"), durability: "full" }),
    );
    const sqlite = stack.use(openBareSqlite(join(folder.path, "bare.db")));
    const file = stack.use(openBareFile(join(folder.path, "bare.jsonl")));
    const lanes = [
      ...appendLanes(log),
      laneOf("64 writers in turn", () => write(log, WRITERS, takingTurns())),
      laneOf("sqlite, one by one", () => repeat(1, (rows) => rows.forEach(sqlite.insert))),
      laneOf("sqlite, 64 per transaction", () => repeat(WRITERS, sqlite.insertTogether)),
      laneOf("sqlite, 100 per transaction", () => repeat(BATCH, sqlite.insertTogether)),
      laneOf("sqlite, one transaction", () => once(ONE_TRANSACTION, sqlite.insertTogether)),
      laneOf("file, fdatasync per 100", () => repeat(BATCH, file.append)),
    ];
    const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
    const finding = (ours: string, against: string, goal = "") =>
      compare(samples, {
        what: ours.startsWith("sqlite") ? ours : `log, ${ours}`,
        measure: "rows/s",
        ours,
        against,
        value: ({ perSecond }) => perSecond,
        goal,
      });
    return {
      findings: [
        finding("1 writer", "sqlite, one by one"),
        finding("64 writers", "sqlite, one by one", "≥ 20"),
        finding("64 writers", "sqlite, 64 per transaction"),
        // What the goal above could be at most: the same groups, with nobody to answer.
        finding("sqlite, 64 per transaction", "sqlite, one by one"),
        finding("64 writers", "64 writers in turn", "≥ 20"),
        finding("64 writers", "sqlite, one transaction"),
        finding("batches of 100", "sqlite, 100 per transaction"),
        finding("batches of 100", "file, fdatasync per 100", "≥ 0.6"),
      ],
      notes: [`data of a row: ${JSON.stringify(drafts[0]?.data).length} bytes`],
    };
  },
};

export interface AppendSample {
  readonly perSecond: number;
  /** Of this process, the log's own thread and the kernel for it included. */
  readonly cpuMicros: number;
}

export function appendLanes(log: Log): Lane<AppendSample>[] {
  return [
    laneOf("1 writer", () => write(log, 1)),
    laneOf("64 writers", () => write(log, WRITERS)),
    laneOf("batches of 100", () => writeBatches(log)),
  ];
}

/** `work` says how many rows it wrote. */
function laneOf(name: string, work: () => number | Promise<number>): Lane<AppendSample> {
  return {
    name,
    async measure() {
      const before = process.cpuUsage();
      const began = performance.now();
      const rows = await work();
      const perSecond = (rows * 1000) / (performance.now() - began);
      const { user, system } = process.cpuUsage(before);
      return { perSecond, cpuMicros: (user + system) / rows };
    },
  };
}

type Turn = (work: () => Promise<void>) => Promise<void>;

const atOnce: Turn = (work) => work();

/** One after the other, so that every insert is a commit of its own. */
function takingTurns(): Turn {
  let last = Promise.resolve();
  return (work) => (last = last.then(work));
}

/** Each writer has a stream of its own and waits for its answer before the next append. */
async function write(log: Log, writers: number, turn = atOnce): Promise<number> {
  const until = performance.now() + FOR_MS;
  let rows = 0;
  const writer = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() < until && rows < MAX_ROWS) {
      await turn(() => append(log, `writer/${index}`, rowsFrom(rows, 1)));
      rows++;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return rows;
}

async function writeBatches(log: Log): Promise<number> {
  const until = performance.now() + FOR_MS;
  let rows = 0;
  while (performance.now() < until && rows < MAX_ROWS) {
    await append(log, "batches", rowsFrom(rows, BATCH));
    rows += BATCH;
  }
  return rows;
}

async function append(log: Log, stream: string, rows: readonly Draft[]): Promise<void> {
  const written = await log.append(stream, "any", rows);
  if (!written.ok) throw new Error(`the log refused: ${written.reason}`);
}

type WriteRows = (rows: readonly Draft[]) => void;

function repeat(size: number, writeRows: WriteRows): number {
  const until = performance.now() + FOR_MS;
  let rows = 0;
  while (performance.now() < until && rows < MAX_ROWS) {
    writeRows(rowsFrom(rows, size));
    rows += size;
  }
  return rows;
}

function once(size: number, writeRows: WriteRows): number {
  writeRows(rowsFrom(0, size));
  return size;
}

function rowsFrom(first: number, count: number): Draft[] {
  return Array.from({ length: count }, (_, index) => {
    const draft = drafts[(first + index) % drafts.length];
    if (draft === undefined) throw new RangeError("there are no drafts");
    return draft;
  });
}
