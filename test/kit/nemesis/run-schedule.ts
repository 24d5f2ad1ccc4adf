/** One schedule from its seed to its verdict. */
import { isDeepStrictEqual } from "node:util";
import type { Entry } from "@atrium/log";
import { checkHistory } from "../history/check-history.ts";
import type { HistoryEntry } from "../history/history.ts";
import { createRandom } from "../random.ts";
import { checkAttempts, checkIdleKeys, checkKeyAges } from "./check-attempts.ts";
import { Nodes } from "./nodes.ts";
import { Schedule } from "./schedule.ts";
import { idOf, Workload } from "./workload.ts";

const NODES = ["a", "b", "c"];
const TROUBLED_MS = 5000;
const HEALING_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface ScheduleVerdict {
  readonly problems: readonly string[];
  readonly steps: number;
  readonly attempts: number;
  readonly entries: number;
  /** How often each thing went wrong, and what came of it. */
  readonly counts: ReadonlyMap<string, number>;
}

export async function runSchedule(seed: number): Promise<ScheduleVerdict> {
  const schedule = new Schedule(createRandom(seed));
  const keyRetentionMs = schedule.happens(0.5) ? HOUR_MS : 1000;
  const nodes = new Nodes(schedule, NODES.slice(0, 2 + schedule.below(2)), keyRetentionMs);
  const workload = new Workload(schedule, nodes);
  for (const name of nodes.names) nodes.open(name);
  for (let writer = 0; writer < nodes.names.length * 2; writer++) workload.start(writer);
  disturb(schedule, nodes);
  await schedule.run(TROUBLED_MS);
  workload.isOver = true;
  nodes.heal();
  const isOver = (): boolean => nodes.isLevel && workload.pending.length === 0;
  await schedule.run(TROUBLED_MS + HEALING_MS, isOver);
  const problems = [...nodes.problems, ...judge(nodes, workload)];
  for (const { owner } of nodes.lives) owner.isDead = true;
  countOutcomes(schedule, nodes, workload);
  const { length } = nodes.entriesOf(NODES[0]!);
  const { steps, counts } = schedule;
  return { problems, steps, attempts: workload.attempts.length, entries: length, counts };
}

/** The first node keeps its copy whatever happens, so that what the servers lose is somewhere. */
function disturb(schedule: Schedule, nodes: Nodes): void {
  const { owner } = nodes.servers;
  for (let times = schedule.below(8); times > 0; times--) {
    schedule.after(owner, schedule.random() * TROUBLED_MS, () => {
      const name = schedule.pick(nodes.names);
      const ms = 200 + schedule.random() * 3000;
      switch (schedule.below(5)) {
        case 0:
          return nodes.pause(name, ms);
        case 1:
          return nodes.cut(name, ms);
        case 2:
          return nodes.kill(name, true);
        case 3:
          return nodes.kill(name, name === NODES[0]);
        default:
          return nodes.damage(NODES[0]!);
      }
    });
  }
}

function countOutcomes(schedule: Schedule, { lives }: Nodes, { attempts, erased }: Workload): void {
  for (const { log } of lives) {
    for (const [what, times] of Object.entries(log.status().counts)) schedule.count(what, times);
  }
  for (const { answer } of attempts) {
    if (answer?.type === "refused") schedule.count(answer.reason);
    else if (answer?.type === "ok") schedule.count(answer.isRepeated ? "repeated" : "written");
  }
  schedule.count("erased", erased.size);
}

function judge(nodes: Nodes, workload: Workload): string[] {
  const { attempts, pending } = workload;
  const [first = [], ...others] = nodes.names.map((name) => nodes.entriesOf(name));
  const isForever = nodes.keyRetentionMs === HOUR_MS;
  const { problems } = checkHistory({
    operations: attempts
      .filter(({ count }) => count > 0)
      .map(({ key, ...attempt }) =>
        // A key that was forgotten may be written again: that is checked by its age.
        isForever && key !== undefined ? { ...attempt, key } : withoutRepeats(attempt),
      ),
    tails: nodes.lives.map(({ node, tail }) => ({
      node,
      after: tail.after,
      entries: tail.entries.map(toHistoryEntry),
    })),
    copies: nodes.names.map((name) => ({
      holder: name,
      entries: nodes.entriesOf(name).map(toHistoryEntry),
    })),
    disturbances: [],
  });
  return [
    ...problems.map(({ kind, text }) => `${kind}: ${text}`),
    ...checkAttempts(attempts, first),
    ...checkErasures(nodes, workload.erased),
    ...checkKeyAges(attempts, first, nodes.keyRetentionMs),
    ...(isForever ? checkIdleKeys(attempts) : []),
    ...pending.map(({ id, life }) => `${id} at ${life} is never answered`),
    ...(nodes.isLevel ? [] : ["the nodes do not become level"]),
    ...others.flatMap((other) =>
      isDeepStrictEqual(first, other) ? [] : ["copies differ in data"],
    ),
    ...nodes.alive.flatMap(({ log }) => log.trouble ?? []),
  ];
}

/** What was acknowledged as erased is so on every node. */
function checkErasures(nodes: Nodes, erased: ReadonlySet<number>): readonly string[] {
  return nodes.names.flatMap((name) => {
    const entries = nodes.entriesOf(name);
    return [...erased].flatMap((seq) => {
      const { isErased } = Object(entries[seq - 1]?.data) as { isErased?: true };
      return isErased === true ? [] : [`entry ${seq} was erased, and ${name} still has its data`];
    });
  });
}

function withoutRepeats<Plain extends { answer?: unknown }>(attempt: Plain): Plain {
  const { answer } = attempt;
  const isRepeat = typeof answer === "object" && answer !== null && "isRepeated" in answer;
  if (!isRepeat || answer.isRepeated !== true) return attempt;
  const { answer: _, ...rest } = attempt;
  return rest as Plain;
}

function toHistoryEntry(entry: Entry): HistoryEntry {
  return { seq: entry.seq, stream: entry.stream, ...idOf(entry) };
}
