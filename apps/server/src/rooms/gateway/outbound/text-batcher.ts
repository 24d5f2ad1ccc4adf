/**
 * Sends the text of a run in batches: what arrives between two sends goes out together, and a long answer
 * is sent less often, because every event repeats all of it.
 */
import type { LiveRun } from "../../../runs/live-runs.ts";

const MIN_INTERVAL_MS = 50;
const CHARS_PER_MS = 100;

export interface TextBatcher {
  add(run: LiveRun, delta: string): void;
  /** Sends what is still buffered, at once. */
  finish(runId: string): void;
  close(): void;
}

interface TextBuffer {
  readonly run: LiveRun;
  text: string;
  timer: NodeJS.Timeout | undefined;
}

export function createTextBatcher(send: (run: LiveRun, delta: string) => void): TextBatcher {
  const buffers = new Map<string, TextBuffer>();

  function flush(buffer: TextBuffer): void {
    buffer.timer = undefined;
    if (buffer.text === "") return;
    const delta = buffer.text;
    buffer.text = "";
    send(buffer.run, delta);
    buffer.timer = setTimeout(
      flush,
      Math.max(MIN_INTERVAL_MS, buffer.run.text.length / CHARS_PER_MS),
      buffer,
    );
    buffer.timer.unref();
  }

  return {
    add(run, delta) {
      let buffer = buffers.get(run.runId);
      if (buffer === undefined) {
        buffer = { run, text: "", timer: undefined };
        buffers.set(run.runId, buffer);
      }
      buffer.text += delta;
      if (buffer.timer === undefined) flush(buffer);
    },
    finish(runId) {
      const buffer = buffers.get(runId);
      if (buffer === undefined) return;
      buffers.delete(runId);
      clearTimeout(buffer.timer);
      if (buffer.text !== "") send(buffer.run, buffer.text);
    },
    close() {
      for (const { timer } of buffers.values()) clearTimeout(timer);
      buffers.clear();
    },
  };
}
