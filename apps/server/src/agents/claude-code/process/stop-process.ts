/** How a process is ended: asked, told, forced; and afterwards nothing it has started is left. */
import { setTimeout } from "node:timers/promises";
import { killMarked, signalGroup, type Mark } from "./process-tree.ts";

export interface Stoppable {
  readonly pid: number | undefined;
  readonly ended: Promise<unknown>;
  readonly mark: Mark;
  /** The friendly way, if there is one. */
  readonly ask?: () => void;
}

const ASK_MS = 1_000;
const TELL_MS = 2_000;
const FORCE_MS = 5_000;

export async function stopProcess({ pid, ended, mark, ask }: Stoppable): Promise<void> {
  let hasEnded = pid === undefined;
  const end = ended.then(() => (hasEnded = true));
  // A process that has ended already is told so in the next moment; its number may be another's soon.
  await within(0, end);
  if (ask !== undefined && !hasEnded) {
    ask();
    await within(ASK_MS, end);
  }
  for (const [name, patienceMs] of [
    ["SIGTERM", TELL_MS],
    ["SIGKILL", FORCE_MS],
  ] as const) {
    if (pid === undefined || hasEnded) break;
    signalGroup(pid, name);
    await within(patienceMs, end);
  }
  await killMarked(mark);
}

async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const late = setTimeout(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([promise, late]);
  over.abort();
}
