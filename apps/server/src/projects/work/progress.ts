/**
 * How the work goes, in words that are fit for people: what an agent says it does, the tool it uses, the line it writes.
 * At most once a second for a run: the first at once, then the newest of what came meanwhile, where what is done goes before
 * what is said. A percentage only where an agent tells one.
 */
import {
  isWorkKey,
  conversation,
  project,
  type Clock,
  type Dispatch,
  type ProgressKind,
  type Projects,
} from "@atrium/core";
import type { Entry } from "@atrium/log";
import { describeCall } from "../../agents/turn/preview/describe-call.ts";
import { previewText } from "../../agents/turn/preview/preview-text.ts";
import type { Timers } from "../../platform/timers.ts";
import type { LiveEvent, LiveRun } from "../../runs/live-runs.ts";

export interface ProgressDeps {
  readonly projects: Projects;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly timers: Timers;
}

export interface Progress {
  onLiveEvent(run: LiveRun, event: LiveEvent): void;
  /** Tools are told from the log, once it is certain that they are used. */
  onBatch(entries: readonly Entry[]): void;
  close(): void;
}

interface Preview {
  readonly kind: ProgressKind;
  readonly preview: string;
  readonly percent?: number;
}

/** Made when it is told: words come much faster than they are shown. */
type MakePreview = () => Preview | undefined;

/** While one is there, nothing is told at once. */
interface Pause {
  readonly cancel: () => void;
  readonly doing?: MakePreview;
  readonly text?: MakePreview;
}

const PAUSE_MS = 1_000;
const MIN_LINE_CHARS = 8;
const CALLED = "run.tool.called";

export function createProgress({ projects, dispatch, clock, timers }: ProgressDeps): Progress {
  const pauses = new Map<string, Pause>();

  function report(runId: string, make: MakePreview): void {
    const found = projects.ofRun(runId);
    if (found?.task?.status !== "in_progress") return;
    const preview = make();
    if (preview === undefined) return;
    const { taskId } = found.task;
    const command = { type: "progress", at: clock.now(), taskId, runId, ...preview } as const;
    pause(runId);
    // Passing by nature: what is refused or lost is outdated by what follows.
    dispatch(project, found.project.projectId, command).catch(() => undefined);
  }

  function pause(runId: string): void {
    const cancel = timers.after(PAUSE_MS, () => {
      const { doing, text } = pauses.get(runId) ?? {};
      pauses.delete(runId);
      report(runId, () => doing?.() ?? text?.());
    });
    pauses.set(runId, { cancel });
  }

  function note(runId: string, what: "doing" | "text", make: MakePreview): void {
    const waiting = pauses.get(runId);
    if (waiting === undefined) return report(runId, make);
    const next = what === "doing" ? { doing: make } : { text: make };
    pauses.set(runId, { ...waiting, ...next });
  }

  return {
    onLiveEvent(run, event) {
      const { runId } = run;
      if (event.type !== "text" && event.type !== "progress") return;
      if (projects.ofRun(runId)?.task === undefined) return;
      if (event.type === "text") return note(runId, "text", () => lineOf(run));
      const { text, percent } = event;
      note(runId, "doing", () => done(previewText(text), percent));
    },
    onBatch(entries) {
      for (const entry of entries) {
        if (entry.type !== CALLED || !isWorkKey(entry.stream)) continue;
        const event = conversation.read(entry);
        if (event.type !== CALLED) continue;
        const { runId, name, input } = event;
        note(runId, "doing", () => {
          const described = describeCall(name, input);
          return described && done(described.text, described.percent);
        });
      }
    },
    close() {
      for (const { cancel } of pauses.values()) cancel();
      pauses.clear();
    },
  };
}

function done(preview: string, percent: number | undefined): Preview {
  return { kind: "tool", preview, ...(percent !== undefined && { percent }) };
}

/** The line that is being written. Never what an agent thinks, which is not meant for others. */
function lineOf({ text }: LiveRun): Preview | undefined {
  const lines = text.trimEnd().split("\n");
  const line = lines.findLast((each) => each.trim().length >= MIN_LINE_CHARS);
  if (line === undefined) return undefined;
  const isCode = (text.match(/^```/gm)?.length ?? 0) % 2 === 1;
  return { kind: isCode ? "code" : "token", preview: previewText(line) };
}
