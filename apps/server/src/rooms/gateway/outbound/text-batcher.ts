/**
 * Words on their way, a handful at a time: what a run says between two tellings is told together, and a
 * long answer is told less often, because every telling repeats the whole of it.
 */
import type { LiveRun } from "../../../runs/live-runs.ts";

const MIN_INTERVAL_MS = 50;
const CHARS_PER_MS = 100;

export interface TextBatcher {
  add(run: LiveRun, delta: string): void;
  /** Tells what is still held back; nothing more follows for this run. */
  finish(runId: string): void;
  close(): void;
}

interface Held {
  readonly run: LiveRun;
  text: string;
  timer: NodeJS.Timeout | undefined;
}

export function createTextBatcher(tell: (run: LiveRun, delta: string) => void): TextBatcher {
  const held = new Map<string, Held>();

  function flush(one: Held): void {
    one.timer = undefined;
    if (one.text === "") return;
    const delta = one.text;
    one.text = "";
    tell(one.run, delta);
    one.timer = setTimeout(
      flush,
      Math.max(MIN_INTERVAL_MS, one.run.text.length / CHARS_PER_MS),
      one,
    );
    one.timer.unref();
  }

  return {
    add(run, delta) {
      let one = held.get(run.runId);
      if (one === undefined) {
        one = { run, text: "", timer: undefined };
        held.set(run.runId, one);
      }
      one.text += delta;
      if (one.timer === undefined) flush(one);
    },
    finish(runId) {
      const one = held.get(runId);
      if (one === undefined) return;
      held.delete(runId);
      clearTimeout(one.timer);
      if (one.text !== "") tell(one.run, one.text);
    },
    close() {
      for (const { timer } of held.values()) clearTimeout(timer);
      held.clear();
    },
  };
}
