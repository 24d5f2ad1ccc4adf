/** What must hold of the log of an office after everything that was done to its nodes and servers. */
import type { ChainEntry } from "./chain-entries.ts";
import { createIsDirected } from "./directed-entries.ts";

/** The stream that says who directs. */
export const LEASE = "lease/director";

export interface OfficeFacts {
  readonly entries: readonly ChainEntry[];
  /** Runs that a node has taken. */
  readonly runs: Iterable<string>;
  readonly signals: Iterable<string>;
  /** The runs of programs, as these wrote them down. */
  readonly executions: readonly string[];
}

export interface OfficeVerdict {
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

const ENDINGS = new Set(["run.completed", "run.failed", "run.aborted", "run.merged"]);

interface Named {
  readonly runId?: string;
  readonly taskId?: string;
  readonly attempt?: number;
  readonly signals?: readonly { readonly id: string }[];
}

export function checkOffice(facts: OfficeFacts): OfficeVerdict {
  const counts = count(facts.entries);
  const times = (what: string): number => counts.get(what) ?? 0;
  const runs = [...facts.runs];
  const signals = [...facts.signals];
  const problems = [
    ...runs.flatMap((runId) => [
      ...unless(times(`requested ${runId}`) === 1, `${runId} is not requested once`),
      ...unless(times(`ended ${runId}`) === 1, `${runId} ended ${times(`ended ${runId}`)} times`),
    ]),
    ...signals.flatMap((id) =>
      unless(times(`signal ${id}`) === 1, `signal ${id} is there ${times(`signal ${id}`)} times`),
    ),
    ...[...counts].flatMap(([what, n]) => unless(n === 1, `${what}: ${n} times`)),
    ...repeated(facts.executions).map((runId) => `${runId} was executed twice`),
    ...facts.executions.flatMap((runId) =>
      unless(times(`started ${runId}`) === 1, `${runId} was executed, and the log does not say so`),
    ),
    ...checkDirector(facts.entries),
  ];
  return {
    problems,
    counts: {
      entries: facts.entries.length,
      runs: runs.length,
      signals: signals.length,
      executions: facts.executions.length,
      grants: facts.entries.filter(({ type }) => type === "lease.granted").length,
      directed: facts.entries.filter(createIsDirected()).length,
    },
  };
}

/** How often each thing happened that may happen once. */
function count(entries: readonly ChainEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const { type, data } of entries) {
    const { runId, taskId, attempt, signals = [] } = data as Named;
    if (type === "run.requested") add(`requested ${runId}`);
    if (type === "run.started") add(`started ${runId}`);
    if (ENDINGS.has(type)) add(`ended ${runId}`);
    if (type === "project.task_started") add(`task ${taskId} attempt ${attempt}`);
    if (type === "project.task_done") add(`task ${taskId} done`);
    if (type === "signals.received") for (const { id } of signals) add(`signal ${id}`);
  }
  return counts;
}

/** What only a director writes comes from the node that holds the lease at that place of the log. */
function checkDirector(entries: readonly ChainEntry[]): readonly string[] {
  const problems: string[] = [];
  const isDirected = createIsDirected();
  let holder = "nobody";
  for (const entry of entries) {
    const { seq, stream, type, author } = entry;
    const writer = `${author.node} (${author.life})`;
    if (stream === LEASE) holder = type === "lease.granted" ? writer : "nobody";
    else if (isDirected(entry) && writer !== holder) {
      problems.push(`${type} at ${seq} is by ${writer}, and ${holder} directs`);
    }
  }
  return problems;
}

function repeated(items: readonly string[]): readonly string[] {
  return items.filter((item, index) => items.indexOf(item) !== index);
}

function unless(isTrue: boolean, problem: string): readonly string[] {
  return isTrue ? [] : [problem];
}
