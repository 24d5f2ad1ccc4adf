/** Where someone who reacts to the log keeps how far it has come. */
import { cursor, streamOf, type Dispatch } from "@atrium/core";
import { NOTHING_SAVED, type Log } from "@atrium/log";

export interface ReactionCursor {
  /** Everything up to it was reacted to. */
  load(): Promise<number>;
  /** Losing one costs time, never facts. */
  save(seq: number): Promise<void>;
}

/** Of the snapshot that the cursor is saved as. */
export const CURSOR_VERSION = 1;

/** With the log of one node; nothing is written to it. */
export function createSnapshotCursor(
  name: string,
  log: Pick<Log, "read" | "snapshots">,
): ReactionCursor {
  return {
    async load() {
      const saved = await log.snapshots.load(name);
      // A log that several nodes have written has it as an entry.
      return saved?.version === CURSOR_VERSION ? saved.seq : readMoved(name, log);
    },
    save: (seq) => log.snapshots.save(name, { version: CURSOR_VERSION, seq, text: NOTHING_SAVED }),
  };
}

/** In the log itself, for whichever node goes on. */
export function createSharedCursor(
  name: string,
  log: Pick<Log, "read">,
  dispatch: Dispatch,
): ReactionCursor {
  return {
    load: () => readMoved(name, log),
    async save(seq) {
      await dispatch(cursor, name, { type: "move", seq });
    },
  };
}

async function readMoved(name: string, log: Pick<Log, "read">): Promise<number> {
  const stream = streamOf(cursor, name);
  const [newest] = await Array.fromAsync(log.read({ stream, backwards: true, limit: 1 }));
  return newest === undefined ? 0 : cursor.read(newest).seq;
}
