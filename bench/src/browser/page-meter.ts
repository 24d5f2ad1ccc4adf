/** What a page's main thread does while something is done to it, as the browser itself accounts for it. */
import type { Page } from "playwright-core";

export interface Busy {
  /** Milliseconds of main thread per second: tasks by the clock, and what of it was processor time. */
  readonly task: number;
  readonly cpu: number;
  readonly script: number;
  readonly layout: number;
  /** The longest task, in milliseconds of processor time and by the clock. */
  readonly longestCpu: number;
  readonly longest: number;
  readonly nodes: number;
}

type Metrics = ReadonlyMap<string, number>;

export async function meterPage(page: Page, act: () => Promise<void>): Promise<Busy> {
  const browser = page.context().browser();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const read = async (): Promise<Metrics> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value]));
  };
  await browser?.startTracing(page, { categories: ["toplevel", "__metadata"] });
  const before = await read();
  await act();
  const after = await read();
  const longest = longestTask(await browser?.stopTracing());
  const nodes = Number(await page.evaluate(`document.querySelectorAll("*").length`));
  await session.detach();
  const passed = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const perSecond = (...names: readonly string[]): number =>
    (names.reduce((sum, name) => sum + passed(name), 0) / passed("Timestamp")) * 1_000;
  return {
    task: perSecond("TaskDuration"),
    cpu: perSecond("ThreadTime"),
    script: perSecond("ScriptDuration"),
    layout: perSecond("LayoutDuration", "RecalcStyleDuration"),
    ...longest,
    nodes,
  };
}

/** As far as it is read; times are in microseconds. */
interface Traced {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

interface Trace {
  readonly traceEvents?: readonly Traced[];
}

const TASK = "ThreadControllerImpl::RunTask";

function longestTask(trace: Buffer | undefined): Pick<Busy, "longest" | "longestCpu"> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the browser's own trace
  const { traceEvents: events = [] } = JSON.parse(trace?.toString() ?? "{}") as Trace;
  const mains = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(threadOf),
  );
  const tasks = events.filter((event) => event.name === TASK && mains.has(threadOf(event)));
  const most = (value: (task: Traced) => number): number =>
    tasks.reduce((longest, task) => Math.max(longest, value(task)), 0) / 1_000;
  return { longest: most(({ dur = 0 }) => dur), longestCpu: most(({ tdur = 0 }) => tdur) };
}

function threadOf({ pid, tid }: Traced): string {
  return `${pid} ${tid}`;
}
