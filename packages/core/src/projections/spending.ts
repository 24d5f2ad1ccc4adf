/**
 * What runs used and when, summed by conversation, model and quarter of an hour: every time zone's days begin and end
 * with one, so whoever asks gets days of their own.
 */
import { conversation } from "../conversation/conversation.ts";
import type { ModelName } from "../conversation/events.ts";
import { addUsage, NOTHING_USED, tokensOf, type Usage } from "../conversation/usage.ts";
import { BoundedMap } from "../engine/bounded-map.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import { readEnd } from "./run-record.ts";

export interface Spending {
  /** When the quarter of an hour began. */
  readonly from: number;
  /** The conversation's. */
  readonly key: string;
  /** Null where the turn never got as far as one. */
  readonly model: ModelName | null;
  readonly usage: Usage;
  readonly runs: number;
  /** How many of the runs used tokens at a cost that is not known, or not all of it. */
  readonly unpriced: number;
  readonly failed: number;
  /** How many runs said something in the end. */
  readonly answers: number;
  /** How often each tool was called. */
  readonly tools: Readonly<Record<string, number>>;
  readonly firstAt: number;
  readonly lastAt: number;
}

interface Saved {
  readonly rows: readonly (readonly [string, Spending])[];
  readonly running: readonly (readonly [string, Running])[];
}

export interface SpendingRecord extends Projection<Saved> {
  /** Oldest first. */
  list(): readonly Spending[];
}

interface Running {
  readonly model: ModelName;
  readonly tools: Readonly<Record<string, number>>;
}

const QUARTER_MS = 15 * 60_000;
/** About as many turns of one conversation each; the oldest are forgotten beyond that. */
const MAX_TURNS = 50_000;

export function createSpending(): SpendingRecord {
  const rows = new BoundedMap<string, Spending>(MAX_TURNS);
  let running = new Map<string, Running>();

  function count(key: string, at: number, ended: NonNullable<ReturnType<typeof readEnd>>): void {
    const { model = null, tools = {} } = running.get(ended.runId) ?? {};
    if (ended.type === "run.merged") {
      running.delete(ended.runId);
      return;
    }
    const from = at - (at % QUARTER_MS);
    const name = JSON.stringify([from, key, model?.provider, model?.model]);
    const before = rows.get(name) ?? blank(from, key, model, at);
    const { usage } = ended;
    const isPriced = usage.cost !== undefined && usage.isCostPartial !== true;
    rows.set(name, {
      ...before,
      usage: addUsage(before.usage, usage),
      runs: before.runs + 1,
      unpriced: before.unpriced + (isPriced || tokensOf(usage) === 0 ? 0 : 1),
      failed: before.failed + (ended.type === "run.failed" ? 1 : 0),
      answers: before.answers + (ended.text === "" ? 0 : 1),
      tools: addCounts(before.tools, tools),
      lastAt: at,
    });
    running.delete(ended.runId);
  }

  return {
    name: "spending",
    version: 1,
    list: () => [...rows.values()],
    apply(entry) {
      const key = idIn(conversation, entry.stream);
      if (key === undefined) return;
      const event = conversation.read(entry);
      const ended = readEnd(entry);
      if (ended !== undefined) count(key, entry.at, ended);
      else if (event.type === "run.started") {
        running.set(event.runId, { model: event.model, tools: {} });
      } else if (event.type === "run.tool.called") {
        const run = running.get(event.runId);
        if (run === undefined) return;
        const tools = addCounts(run.tools, { [event.name]: 1 });
        running.set(event.runId, { ...run, tools });
      }
    },
    save: () => ({ rows: [...rows], running: [...running] }),
    load(kept) {
      rows.clear();
      for (const [name, row] of kept.rows) rows.set(name, row);
      running = new Map(kept.running);
    },
  };
}

export function addCounts(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum = new Map(Object.entries(a));
  for (const [name, count] of Object.entries(b)) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries(sum);
}

function blank(from: number, key: string, model: ModelName | null, at: number): Spending {
  const counts = { runs: 0, unpriced: 0, failed: 0, answers: 0 };
  return { from, key, model, usage: NOTHING_USED, ...counts, tools: {}, firstAt: at, lastAt: at };
}
