/**
 * Failures caused by closing the server are not reported: a client that got no answer asks again after the restart. All
 * others are reported until the end.
 */
import { Fault, PROJECTIONS_STOPPED } from "@atrium/core";
import { LogFault } from "@atrium/log";

type Report = (fault: Fault) => void;
type Note = (what: string, context: Readonly<Record<string, unknown>>) => void;

export interface ClosingReport {
  readonly report: Report;
  /** The server is closing from now on. */
  readonly close: () => void;
}

export function createClosingReport({
  report,
  note,
}: {
  readonly report: Report;
  readonly note: Note;
}): ClosingReport {
  let isClosing = false;
  return {
    close: () => void (isClosing = true),
    report(fault) {
      if (isClosing && isOfClosing(fault)) note("not done before closing", { what: fault.message });
      else report(fault);
    },
  };
}

function isOfClosing(cause: unknown): boolean {
  if (cause instanceof LogFault) return cause.code === "closed";
  if (!(cause instanceof Error)) return false;
  return (
    (cause instanceof Fault && cause.message === PROJECTIONS_STOPPED) || isOfClosing(cause.cause)
  );
}
