/** A session as the files of its program show it. */
import type { SessionActivity } from "@atrium/core";
import type { ReportedTool } from "../hook-report.ts";

export interface SeenSession {
  /** As its program calls it. */
  readonly sessionId: string;
  readonly folder: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly activity: SessionActivity;
  /** The tool it uses, as far as its files tell. */
  readonly tool: ReportedTool | null;
  /** When something of it was last written. */
  readonly heardAt: number;
  /** Tells its process from any other. */
  readonly process: string;
}

/** Finds the sessions of one program. What it cannot read is as if it were not there. */
export interface SessionFinder {
  /** Whoever needs no list of what runs does not ask for it. */
  look(findRunning: () => readonly RunningProcess[]): Promise<readonly SeenSession[]>;
  close?(): void;
}

/** A process of the program that a person may have started. */
export interface RunningProcess {
  readonly pid: number;
  /** Its own number, and those of the same program that it has started. */
  readonly pids: readonly number[];
  /** Tells it from any other. */
  readonly identity: string;
  /** The folder it works in. */
  readonly folder: string;
  readonly startedAt: number;
}
