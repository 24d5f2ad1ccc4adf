/**
 * Erases conversations that were deleted: their files and those their work changed, then every word of them in the log,
 * then what was made of those words in memory. That it is wanted is in the log first, and that it is done is written there last, so that whatever
 * stops the server in between, the next one goes on with it; so does the next director, where this one directs no more.
 */
import {
  createBlanking,
  digestsIn,
  Fault,
  markErased,
  type Erasure,
  type Erasures,
  type Projections,
} from "@atrium/core";
import type { Guard, Log, Rewrite } from "@atrium/log";
import type { BlobStore } from "../platform/blobs.ts";

export interface EraserDeps {
  /** All of it, readable or not. */
  readonly log: Pick<Log, "read" | "erase">;
  /** Of the right to erase, where several nodes might: once another node has it, the log takes nothing more from here. */
  readonly guard: () => Guard | undefined;
  readonly erasures: Pick<Erasures, "wanted">;
  readonly projections: Pick<Projections, "refold">;
  readonly blobs: Pick<BlobStore, "remove">;
  /** Deletes the files that were worked on in that conversation, for every position of the log. */
  readonly forgetWork: (key: string) => Promise<void>;
  /** Whoever keeps texts of the past in memory lets go of them. */
  readonly forget: () => void;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
  readonly report: (fault: Fault) => void;
}

export interface Eraser {
  /** Resolves when everything that is wanted is done, or is another node's to do. */
  run(): Promise<void>;
  /** As `run`, but a failure is reported; it is tried again when the server next starts. */
  recover(): Promise<void>;
}

const OLD_ERASED =
  "conversations that an earlier version had deleted without erasing them are erased";

export function createEraser(deps: EraserDeps): Eraser {
  const { log, erasures, projections, blobs, forgetWork, forget, note, report } = deps;
  let last: Promise<unknown> = Promise.resolve();

  /** False when another node has to do it. */
  async function erase(wanted: readonly Erasure[]): Promise<boolean> {
    const guard = deps.guard();
    const options = guard === undefined ? {} : { guard };
    const blanking = createBlanking(wanted);
    const [rewrites, marks]: [Rewrite[], Rewrite[]] = [[], []];
    const wantedSeqs = new Set(wanted.map(({ seq }) => seq));
    const [theirs, others] = [new Set<string>(), new Set<string>()];
    for await (const entry of log.read()) {
      const blanked = blanking.take(entry);
      if (blanked !== undefined) rewrites.push(blanked);
      if (wantedSeqs.has(entry.seq)) marks.push(markErased(entry));
      const into = blanked === undefined ? others : theirs;
      for (const digest of digestsIn(entry.data)) into.add(digest);
    }
    // Before the log, which alone says which files they were.
    for (const digest of theirs.difference(others)) await blobs.remove(digest);
    for (const { key, isReset } of wanted) if (!isReset) await forgetWork(key);
    if (!(await log.erase(rewrites, options)).ok) return false;
    forget();
    await projections.refold();
    if (!(await log.erase(marks, options)).ok) return false;
    await projections.refold();
    return true;
  }

  /** All at once: the log is read and folded again as often for many as for one. */
  async function eraseAll(): Promise<readonly Erasure[]> {
    const wanted = [...erasures.wanted()];
    return wanted.length > 0 && (await erase(wanted)) ? wanted : [];
  }

  const run = (): Promise<readonly Erasure[]> => {
    const next = last.then(eraseAll);
    last = next.catch(() => undefined);
    return next;
  };

  return {
    async run() {
      await run();
    },
    async recover() {
      try {
        const old = (await run()).filter(({ isOld }) => isOld);
        if (old.length > 0) note(OLD_ERASED, { count: old.length });
      } catch (cause) {
        report(new Fault("a deleted conversation could not be erased", {}, cause));
      }
    },
  };
}
