/**
 * Reacts to what the log says, once for every entry and in order, also over restarts.
 *
 *   log (after the cursor) -> reaction -> commands with keys made from the entry -> cursor
 *
 * The cursor is kept now and then; what was reacted to after it was kept is reacted to again, and its
 * commands are found done by their keys. A reaction that breaks is reported and does not stop the rest.
 */
import { Fault, type BatchListener } from "@atrium/core";
import { NOTHING_SAVED, type Entry, type Log } from "@atrium/log";
import { catchUp } from "../platform/catch-up.ts";

export interface ReactorDeps {
  /** Under which the cursor is kept. */
  readonly name: string;
  readonly log: Pick<Log, "read" | "snapshots">;
  readonly react: (entry: Entry) => Promise<void>;
  readonly report: (fault: Fault) => void;
}

export interface Reactor extends AsyncDisposable {
  readonly onBatch: BatchListener;
  /** From the cursor on; call once the rest of the server can do what reactions ask for. */
  start(): Promise<void>;
  /** Resolves when everything that was heard so far has been reacted to. */
  idle(): Promise<void>;
}

const VERSION = 1;
const KEEP_EVERY = 200;
const MAX_QUEUE = 1_000;

export function createReactor({ name, log, react, report }: ReactorDeps): Reactor {
  const listeners = new Set<(entry: Entry) => void>();
  const ending = new AbortController();
  const queue: Entry[] = [];
  let working: Promise<void> | undefined;
  let done = 0;
  let kept = 0;

  async function keep(): Promise<void> {
    if (done === kept) return;
    kept = done;
    await log.snapshots.save(name, { version: VERSION, seq: done, text: NOTHING_SAVED });
  }

  async function work(): Promise<void> {
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      if (ending.signal.aborted) break;
      try {
        await react(entry);
      } catch (cause) {
        const { stream, type, seq } = entry;
        report(new Fault("a reaction failed", { stream, type, seq }, cause));
      }
      done = entry.seq;
      if (done - kept >= KEEP_EVERY) await keep();
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
    onBatch(entries) {
      for (const entry of entries) for (const listener of listeners) listener(entry);
    },
    async start() {
      const cursor = await log.snapshots.load(name);
      done = kept = cursor?.version === VERSION ? cursor.seq : 0;
      const source = {
        past: (after: number) => log.read({ after }),
        listen(listener: (entry: Entry) => void) {
          listeners.add(listener);
          return { [Symbol.dispose]: () => void listeners.delete(listener) };
        },
      };
      catchUp(source, done, { take, room }, ending.signal).catch((cause: unknown) =>
        report(new Fault("what happened cannot be read", { reactor: name }, cause)),
      );
    },
    idle,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await idle();
      await keep();
    },
  };
}
