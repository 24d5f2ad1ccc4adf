/**
 * The lives of a server in one process: one, unless another node has taken over what this one directed. Then it is
 * closed and opened again on the same port, for as long as it takes: its home, its journal and its process stay.
 */
import { setTimeout } from "node:timers/promises";
import { Fault } from "@atrium/core";
import type { Journal } from "./platform/journal.ts";
import type { EndReason, ProcessEnd } from "./platform/process-end.ts";

export interface Life {
  readonly url: string;
  readonly port: number;
  /** Settles when the log can be written no more. */
  readonly stopped: Promise<Error | undefined>;
  /** Settles with the reason when another node directs in its place. */
  readonly lost: Promise<string>;
  readonly close: (goodbye?: string) => Promise<void>;
}

export interface LivesDeps {
  readonly open: (port: number) => Promise<Life>;
  readonly end: Pick<ProcessEnd, "reason" | "fail">;
  readonly journal: Pick<Journal, "fault" | "info">;
}

/** Why the process is to end, and what is then to be closed. */
export interface LastLife extends Pick<Life, "close"> {
  readonly reason: EndReason;
}

const TRY_AGAIN_MS = 1_000;
const RESTARTING = "service restart";

export async function liveOn(first: Life, deps: LivesDeps): Promise<LastLife> {
  const { end, journal } = deps;
  const over = new AbortController();
  const ended = end.reason.then((reason) => {
    over.abort();
    return { reason };
  });
  for (let life = first; ;) {
    const { port, lost, close } = life;
    const watch = watchLog(life, end);
    const next = await Promise.race([ended, lost.then((why) => ({ why }))]);
    watch.isClosing = true;
    if ("reason" in next) return { reason: next.reason, close };
    journal.info("this node lost the lease and starts again", { why: next.why });
    const closed = close(RESTARTING).catch(journal.fault);
    const opened = closed
      .then(() => openAgain(port, deps, over.signal))
      .then((again) => ({ again }));
    const then = await Promise.race([ended, opened]);
    if ("reason" in then) return { reason: then.reason, close: () => closed };
    life = then.again;
    journal.info("open again", { url: life.url });
  }
}

/** Closing the log is what we do when we are asked to end. */
function watchLog({ stopped }: Life, end: LivesDeps["end"]): { isClosing: boolean } {
  const watch = { isClosing: false };
  const onStop = (fault: Error | undefined): void => {
    if (fault !== undefined || !watch.isClosing) end.fail(fault ?? new Fault("the log was closed"));
  };
  stopped.then(onStop, end.fail);
  return watch;
}

/** Whatever is in the way may pass: the servers of the log, or a port. */
async function openAgain(
  port: number,
  { open, journal }: LivesDeps,
  signal: AbortSignal,
): Promise<Life> {
  for (let problem = ""; ;) {
    try {
      return await open(port);
    } catch (cause) {
      const fault = new Fault("could not open again; trying on", {}, cause);
      const now = cause instanceof Error ? cause.message : String(cause);
      if (now !== problem) journal.fault(fault);
      problem = now;
    }
    await setTimeout(TRY_AGAIN_MS, undefined, { signal });
  }
}
