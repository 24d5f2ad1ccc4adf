/**
 * A log without the entries that nobody here can read (event-problem.ts): for everyone who tells of the past, so that one such
 * entry does not cost them the rest. Whoever folds sees the log as it is, because what was left out has to be known there.
 */
import type { Entry, Log } from "@atrium/log";
import { findEventProblem } from "./event-problem.ts";

export function readableLog(log: Log): Log {
  return {
    get epoch() {
      return log.epoch;
    },
    get head() {
      return log.head;
    },
    get trouble() {
      return log.trouble;
    },
    snapshots: log.snapshots,
    stopped: log.stopped,
    append: (...args) => log.append(...args),
    erase: (...args) => log.erase(...args),
    async findKey(id) {
      const found = await log.findKey(id);
      return found && { ...found, entries: found.entries.filter(isReadable) };
    },
    read: (options) => log.read({ ...options, isWanted: isReadable }),
    async *tail(after, signal) {
      for await (const batch of log.tail(after, signal)) {
        yield batch.every(isReadable) ? batch : batch.filter(isReadable);
      }
    },
    close: () => log.close(),
    [Symbol.asyncDispose]: () => log.close(),
  };
}

const isReadable = (entry: Entry): boolean => findEventProblem(entry) === undefined;
