/**
 * The runner: starts the turn that is next in every conversation and sees it to its end.
 *
 *   run.requested -> start (decided by the conversation) -> drive -> settle -> the next one
 *
 * Reacts to what the log says and to nothing else, and everything it does is a command, so that what was
 * acknowledged before a crash is taken up after it: what waits is run, what was under way is settled
 * with a reason. A run that is stopped, reset away or deleted is let go as soon as the log says so.
 */
import {
  conversation,
  Fault,
  NOTHING_USED,
  idIn,
  type BatchListener,
  type ConversationCommand,
  type ConversationRow,
  type Conversations,
  type Dispatch,
  type Ending,
  type Ids,
  type RunRow,
  type RunsProjection,
} from "@atrium/core";
import { INTERRUPTED } from "../agents/turn/turn-stop.ts";
import type { RunDriver } from "./run-driver.ts";

export interface RunSchedulerDeps {
  readonly dispatch: Dispatch;
  readonly conversations: Pick<Conversations, "get">;
  readonly runs: Pick<RunsProjection, "open">;
  readonly ids: Ids;
  readonly openDriver: (row: ConversationRow, runId: string) => RunDriver;
  readonly maxTurns: number;
  readonly report: (fault: Fault) => void;
}

export interface RunScheduler {
  readonly onBatch: BatchListener;
  /** Takes up what was left when the process last ended. Call once, before anything new is asked. */
  recover(): Promise<void>;
  /** Stops what is under way and settles it; what waits stays for next time. */
  close(): Promise<void>;
}

const CUT_OFF: Ending = {
  how: "failed",
  kind: INTERRUPTED,
  reason: "The server stopped while this turn was under way. Nothing of it is being done any more.",
};

export function createRunScheduler(deps: RunSchedulerDeps): RunScheduler {
  const { conversations, ids, report } = deps;
  /** By conversation: at most one turn each. */
  const drives = new Map<string, RunDriver>();
  const finishing = new Set<Promise<void>>();
  /** Conversations whose next turn waits for room, in order. */
  const waiting = new Set<string>();
  let isClosing = false;

  const dispatchTo = (key: string, command: ConversationCommand) =>
    deps.dispatch(conversation, key, command);

  const isDriven = ({ key, runId }: RunRow): boolean => drives.get(key)?.runId === runId;

  function consider(key: string): void {
    const row = conversations.get(key);
    const drive = drives.get(key);
    if (drive !== undefined) {
      steer(drive, row);
      return;
    }
    if (row === undefined || row.runs.active !== null || row.runs.queue.length === 0) return;
    waiting.add(key);
    startWaiting();
  }

  function startWaiting(): void {
    for (const key of waiting) {
      if (isClosing || drives.size >= deps.maxTurns) return;
      waiting.delete(key);
      const row = conversations.get(key);
      const next = row?.runs.queue[0];
      if (row === undefined || next === undefined || row.runs.active !== null) continue;
      const drive = deps.openDriver(row, next.runId);
      drives.set(key, drive);
      const finished = see(key, drive);
      finishing.add(finished);
      void finished.then(() => finishing.delete(finished));
    }
  }

  /** Never rejects. */
  async function see(key: string, drive: RunDriver): Promise<void> {
    try {
      await drive.run();
    } catch (cause) {
      report(new Fault("a turn could not be driven", { key, runId: drive.runId }, cause));
    }
    drives.delete(key);
    if (isClosing || drive.isFenced) return;
    consider(key);
    startWaiting();
  }

  return {
    onBatch(entries) {
      if (isClosing) return;
      const touched = new Set<string>();
      for (const { stream } of entries) {
        const key = idIn(conversation, stream);
        if (key !== undefined) touched.add(key);
      }
      for (const key of touched) consider(key);
    },
    async recover() {
      const open = deps.runs.open();
      // What was begun meanwhile is under way here.
      const cut = open.filter((of) => of.state !== "queued" && !isDriven(of));
      const nothing = { text: "", usage: NOTHING_USED, ending: CUT_OFF };
      const settle = ({ key, runId }: RunRow): Promise<unknown> =>
        dispatchTo(key, { type: "settle", runId, messageId: ids.next(), ...nothing });
      await Promise.all(cut.map(settle));
      for (const { key } of open) consider(key);
    },
    async close() {
      isClosing = true;
      for (const drive of drives.values()) drive.stop(CUT_OFF);
      await Promise.all(finishing);
    },
  };
}

/** What the log now says about the turn that is under way. */
function steer(drive: RunDriver, row: ConversationRow | undefined): void {
  const active = row?.runs.active;
  if (drive.isStarted && active?.runId !== drive.runId) {
    drive.stop({ how: "aborted", reason: "the run was ended" });
  } else if (active?.runId === drive.runId && active.stage === "stopping") {
    drive.stop({ how: "aborted", reason: active.stopReason ?? "stopped" });
  } else {
    const { number, answer } = active?.pause ?? { number: 0, answer: null };
    if (answer !== null && active?.runId === drive.runId) drive.answerCalls(number, answer);
    const offered = row?.runs.queue.filter(({ mode }) => mode === "steer") ?? [];
    for (const { runId } of offered) {
      // Until the log says that it has begun, the run itself is still among those that wait.
      if (runId !== drive.runId) drive.offer(runId);
    }
  }
}
