/**
 * A log without the entries that nobody here can read (find-flaw.ts): for everyone who tells of the past, so that one such
 * entry does not cost them the rest. Whoever folds sees the log as it is, because what was left out has to be known there.
 */
import type { Entry, Log } from "@atrium/log";
import { findFlaw } from "./find-flaw.ts";

export function readableLog(log: Log): Log {
  return {
    get epoch() {
      return log.epoch;
    },
    get head() {
      return log.head;
    },
    snapshots: log.snapshots,
    stopped: log.stopped,
    append: (...args) => log.append(...args),
    async findKey(id) {
      const found = await log.findKey(id);
      return found && { ...found, entries: found.entries.filter(isReadable) };
    },
    read: (options) => ({
      [Symbol.asyncIterator]: () => filtered(log.read(options)[Symbol.asyncIterator](), isReadable),
    }),
    async *tail(after, signal) {
      for await (const batch of log.tail(after, signal)) {
        yield batch.every(isReadable) ? batch : batch.filter(isReadable);
      }
    },
    close: () => log.close(),
    [Symbol.asyncDispose]: () => log.close(),
  };
}

const isReadable = (entry: Entry): boolean => findFlaw(entry) === undefined;

/** By hand: a generator around a generator would cost every entry another round of promises. */
function filtered(
  entries: AsyncIterator<Entry>,
  isWanted: (entry: Entry) => boolean,
): AsyncIterator<Entry> {
  return {
    async next() {
      for (;;) {
        const step = await entries.next();
        if (step.done === true || isWanted(step.value)) return step;
      }
    },
    async return() {
      await entries.return?.();
      return { done: true, value: undefined };
    },
  };
}
