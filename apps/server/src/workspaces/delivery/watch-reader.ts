/** Bytes that are given up when nobody reads on, and whose end is noticed however it comes. */
import { Fault } from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";

export interface ReaderWatch {
  readonly timers: Timers;
  readonly silenceMs: number;
  readonly onEnd: () => void;
}

export function watchReader(
  bytes: AsyncGenerator<Buffer, void>,
  { timers, silenceMs, onEnd }: ReaderWatch,
): AsyncIterable<Buffer> {
  let isOver = false;
  const finish = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    cancel();
    try {
      await bytes.return();
    } finally {
      onEnd();
    }
  };
  const wait = (): (() => void) =>
    timers.after(silenceMs, () => void finish().catch(() => undefined));
  let cancel = wait();
  const iterator: AsyncIterator<Buffer, undefined> = {
    async next() {
      if (isOver) throw new Fault("nobody read on for too long");
      cancel();
      try {
        const step = await bytes.next();
        if (step.done !== true) {
          cancel = wait();
          return step;
        }
      } catch (cause) {
        await finish();
        throw cause;
      }
      await finish();
      return { done: true, value: undefined };
    },
    async return() {
      await finish();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
