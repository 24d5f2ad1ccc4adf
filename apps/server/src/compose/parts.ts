/**
 * The parts of the server, by name, each on its own: what one of them cannot do must not keep the others from it. It is
 * reported, and only a log that fails ends it for all.
 */
import { Fault, type Projections } from "@atrium/core";
import { LogFault } from "@atrium/log";
import type { Part, ServerOptions } from "./part.ts";

export type Parts = Readonly<Record<string, Part>>;

export function listenToLog(parts: Parts, projections: Pick<Projections, "onBatch">): void {
  for (const [name, { onBatch = {} }] of Object.entries(parts)) {
    if (typeof onBatch === "function") {
      projections.onBatch(onBatch, name);
      continue;
    }
    for (const [of, each] of Object.entries(onBatch)) projections.onBatch(each, `${name}.${of}`);
  }
}

export async function recoverParts(parts: Parts, report: ServerOptions["report"]): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    await attempt(`${name} could not take up what it left`, report, () => part.recover?.());
  }
}

export async function sayGoodbye(
  parts: Parts,
  goodbye: string,
  report: ServerOptions["report"],
): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    await attempt(`${name} could not say good-bye`, report, () => part.close?.(goodbye));
  }
}

async function attempt(
  failure: string,
  report: ServerOptions["report"],
  work: () => Promise<void> | void,
): Promise<void> {
  try {
    await work();
  } catch (cause) {
    // What cannot be kept is the fault of whoever asked; with any other fault nothing can be kept any more.
    if (cause instanceof LogFault && cause.code !== "malformed") throw cause;
    report(new Fault(failure, {}, cause));
  }
}
