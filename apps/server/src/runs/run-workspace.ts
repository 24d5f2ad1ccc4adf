/** Where a run works: a folder of its task or build, and the files of it at every moment that counts. */
import type { Outcome } from "@atrium/core";
import type { TurnWorkspace } from "../agents/turn/agent-runtime.ts";
import type { RunOrigin } from "./run-driver.ts";

export interface RunMoment {
  /** `tool`: the entry of its result names the tree; for the others the workspace's own stream does. */
  readonly cause: "person" | "setup" | "tool" | "turn";
  readonly callId?: string;
  /** Where only these can have changed; left out: anything may have. */
  readonly paths?: readonly string[] | undefined;
}

/** Held by one run; disposing of it lets the next one in. */
export interface RunWorkspace extends AsyncDisposable {
  readonly place: TurnWorkspace;
  /** What programs are told of their work. */
  readonly env: Readonly<Record<string, string>>;
  /** What an agent is told of it. */
  readonly briefing: string;
  /** The tree of all files, durable when it is returned. */
  recordMoment(moment: RunMoment): Promise<Outcome<string>>;
}

/** What it may take to have a folder: a hold of another run, a large repository, a person's answer. */
export interface WorkspaceWait {
  /** Aborted when the run must end; waiting then rejects with the reason. */
  readonly signal: AbortSignal;
  /** For people who wait. */
  readonly progress: (text: string) => void;
}

/** Undefined: the run works on no files. Refused: it was to have a workspace and cannot; the detail is for people. */
export type WorkspaceOf = (
  run: RunOrigin,
  wait: WorkspaceWait,
) => Promise<Outcome<RunWorkspace | undefined>>;
