/**
 * Reacts to what the log says, once for every entry and in order, also over restarts.
 *
 *   log (after the cursor) -> reaction -> commands with keys made from the entry -> cursor
 *
 * The cursor is saved now and then. After a restart, entries behind it are reacted to again, and the keys
 * of their commands make sure that nothing happens twice. So it is with a reaction that the end of the
 * server cut short: its entry is not marked as handled. A reaction that throws for any other reason is
 * reported and counted, and the next entry is handled.
 */
import { Fault, type BatchListener } from "@atrium/core";
import { LogFault, type Entry, type Log } from "@atrium/log";
import { catchUp } from "../platform/catch-up.ts";
import type { ReactionCursor } from "./cursor.ts";

export interface ReactorDeps {
  /** For whoever reads of its problems. */
  readonly name: string;
  readonly log: Pick<Log, "read">;
  readonly cursor: ReactionCursor;
  /** Rejects when it is aborted before everything is done that follows from the entry. */
  readonly react: (entry: Entry) => Promise<void>;
  readonly report: (fault: Fault) => void;
  /** Ends the reactor: nothing more is reacted to, and a reaction under way may give up. */
  readonly closing: AbortController;
}

export interface Reactor extends AsyncDisposable {
  readonly onBatch: BatchListener;
  readonly faults: number;
  /** From the cursor on; call once the rest of the server can do what reactions ask for. */
  start(): Promise<void>;
  /** Resolves when everything that was received so far has been reacted to. */
  idle(): Promise<void>;
}

const SAVE_EVERY = 200;
const MAX_QUEUE = 1_000;

export function createReactor(deps: ReactorDeps): Reactor {
  const { name, log, cursor, react, report, closing } = deps;
  const { signal } = closing;
  const listeners = new Set<(entry: Entry) => void>();
  const queue: Entry[] = [];
  let working: Promise<void> | undefined;
  let done = 0;
  let saved = 0;
  let faults = 0;

  async function save(): Promise<void> {
    if (done === saved) return;
    saved = done;
    await cursor.save(done);
  }

  async function work(): Promise<void> {
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      if (signal.aborted) break;
      try {
        await react(entry);
      } catch (cause) {
        if (signal.aborted) break;
        const { stream, type, seq } = entry;
        report(new Fault("a reaction failed", { stream, type, seq }, cause));
        faults += 1;
        // Nothing can follow from any entry while nothing can be written; the next start tries again.
        if (cause instanceof LogFault && cause.code !== "malformed") closing.abort();
        if (signal.aborted) break;
      }
      done = entry.seq;
      if (done - saved >= SAVE_EVERY) await save();
    }
    working = undefined;
  }

  const take = (entry: Entry): void => {
    queue.push(entry);
    working ??= work();
  };
  const idle = async (): Promise<void> => {
    const current = working;
    if (current === undefined) return;
    await current;
    await idle();
  };
  const room = async (): Promise<void> => {
    if (queue.length >= MAX_QUEUE) await idle();
  };

  return {
    get faults() {
      return faults;
    },
    onBatch(entries) {
      for (const entry of entries) for (const listener of listeners) listener(entry);
    },
    async start() {
      done = saved = await cursor.load();
      const source = {
        past: (after: number) => log.read({ after }),
        listen(listener: (entry: Entry) => void) {
          listeners.add(listener);
          return { [Symbol.dispose]: () => void listeners.delete(listener) };
        },
      };
      catchUp(source, done, { take, room }, signal).catch((cause: unknown) =>
        report(new Fault("what happened cannot be read", { reactor: name }, cause)),
      );
    },
    idle,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await idle();
      await save();
    },
  };
}
