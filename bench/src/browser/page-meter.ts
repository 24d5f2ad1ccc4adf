/** What a page's main thread does while something is done to it, as the browser itself accounts for it. */
import type { Page } from "playwright-core";

export interface Busy {
  /** Milliseconds of main thread per second: tasks by the clock, and what of it was processor time. */
  readonly task: number;
  readonly cpu: number;
  readonly script: number;
  readonly layout: number;
  /** The longest task; 0 when none took 50 ms, which is when the browser begins to tell. */
  readonly longest: number;
  readonly nodes: number;
}

type Metrics = ReadonlyMap<string, number>;

export async function meterPage(page: Page, act: () => Promise<void>): Promise<Busy> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const read = async (): Promise<Metrics> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value]));
  };
  await page.evaluate(watchLongTasks);
  const before = await read();
  await act();
  const after = await read();
  const longest = Number(await page.evaluate(longestTask));
  const nodes = Number(await page.evaluate(countElements));
  await session.detach();
  const passed = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const perSecond = (...names: readonly string[]): number =>
    (names.reduce((sum, name) => sum + passed(name), 0) / passed("Timestamp")) * 1_000;
  return {
    task: perSecond("TaskDuration"),
    cpu: perSecond("ThreadTime"),
    script: perSecond("ScriptDuration"),
    layout: perSecond("LayoutDuration", "RecalcStyleDuration"),
    longest,
    nodes,
  };
}

// These three run in the page, whose globals this package knows nothing of.

const watchLongTasks = `
  window.benchTasks?.disconnect();
  window.benchLongest = 0;
  window.benchTasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      window.benchLongest = Math.max(window.benchLongest, duration);
    }
  });
  window.benchTasks.observe({ type: "longtask" });`;
const longestTask = "window.benchLongest";
const countElements = `document.querySelectorAll("*").length`;
