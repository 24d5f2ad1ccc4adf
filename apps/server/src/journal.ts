/**
 * The journal: what the server itself has to say, as JSON lines in the home folder. Not the log: that
 * one holds what happened, this one how the machine felt about it. Secrets never come here.
 */
import { renameSync, statSync } from "node:fs";
import { Fault } from "@atrium/core";
import { destination, pino } from "pino";

export interface Journal {
  readonly info: (what: string, context?: Readonly<Record<string, unknown>>) => void;
  readonly fault: (fault: unknown) => void;
  close(): void;
}

const MAX_BYTES = 10 * 1024 * 1024;

export function openJournal(file: string): Journal {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(file, `${file}.1`);
  const stream = destination({ dest: file, sync: true, mode: 0o600 });
  const lines = pino({ base: null, timestamp: () => `,"at":${Date.now()}` }, stream);
  return {
    info: (what, context = {}) => lines.info(context, what),
    fault(fault) {
      const context = fault instanceof Fault ? fault.context : {};
      lines.error(
        { err: fault, ...context },
        fault instanceof Error ? fault.message : String(fault),
      );
    },
    close: () => stream.end(),
  };
}
