/**
 * How the work goes, in words that are fit for people: what an agent says it does, the tool it uses, the
 * line it writes. At most once a second for a task; a percentage only where there is one, and there is none.
 */
import { project, type Clock, type Dispatch, type ProgressKind, type Projects } from "@atrium/core";
import type { Timers } from "../../asking/timers.ts";
import type { LiveEvent, LiveRun } from "../live-runs.ts";

export interface ProgressDeps {
  readonly projects: Projects;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly timers: Timers;
}

export interface Progress {
  hear(run: LiveRun, event: LiveEvent): void;
  close(): void;
}

interface Pending {
  readonly cancel: () => void;
  readonly kind: ProgressKind;
  readonly preview: string;
}

const PAUSE_MS = 1_000;
const LONGEST_PREVIEW = 140;
const SHORTEST_LINE = 8;

export function createProgress({ projects, dispatch, clock, timers }: ProgressDeps): Progress {
  const pending = new Map<string, Pending>();

  function tell(runId: string): void {
    const due = pending.get(runId);
    pending.delete(runId);
    const found = projects.ofRun(runId);
    if (due === undefined || found?.task?.status !== "in_progress") return;
    const { kind, preview } = due;
    const { taskId } = found.task;
    const command = { type: "progress", at: clock.now(), taskId, runId, kind, preview } as const;
    // Passing by nature: what is refused or lost is outdated by what follows.
    dispatch(project, found.project.projectId, command).catch(() => undefined);
  }

  return {
    hear(run, event) {
      const said = previewOf(run, event);
      if (said === undefined || projects.ofRun(run.runId)?.task === undefined) return;
      const waiting = pending.get(run.runId);
      if (waiting === undefined) {
        const cancel = timers.after(PAUSE_MS, () => tell(run.runId));
        pending.set(run.runId, { cancel, ...said });
      } else {
        pending.set(run.runId, { ...waiting, ...said });
      }
    },
    close() {
      for (const { cancel } of pending.values()) cancel();
      pending.clear();
    },
  };
}

/** Never what an agent thinks, which is not meant for others. */
function previewOf(
  { text }: LiveRun,
  event: LiveEvent,
): { readonly kind: ProgressKind; readonly preview: string } | undefined {
  switch (event.type) {
    case "progress":
      return { kind: "tool", preview: event.text.slice(0, LONGEST_PREVIEW) };
    case "text": {
      const lines = text.trimEnd().split("\n");
      const line = lines.findLast((each) => each.trim().length >= SHORTEST_LINE)?.trim();
      if (line === undefined) return undefined;
      const isCode = (text.match(/^```/gm)?.length ?? 0) % 2 === 1;
      return { kind: isCode ? "code" : "token", preview: line.slice(0, LONGEST_PREVIEW) };
    }
    case "thinking":
    case "usage":
    case "retrying":
      return undefined;
  }
}
