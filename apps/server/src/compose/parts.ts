/**
 * The parts of the server, by name, each on its own: what one of them cannot do must not keep the others from it. It is
 * reported, and only a log that fails ends it for all.
 */
import { Fault, type BatchListener, type Projections } from "@atrium/core";
import { LogFault } from "@atrium/log";
import type { HttpApp } from "../http/api.ts";
import type { Home } from "../platform/home.ts";
import type { Config } from "../settings/read-config.ts";
import type { Room } from "../sockets/peer.ts";

/** What a server is opened with. */
export interface ServerOptions {
  readonly config: Config;
  readonly home: Home;
  readonly version: string;
  /** Where keys are kept that must not be in a file. */
  readonly readEnv: (name: string) => string | undefined;
  readonly report: (fault: Fault) => void;
  /** A line in the journal about what is no fault. */
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

/** A part of the whole: what it adds to the doors, and what it wants to hear. */
export interface Part {
  /** By path. */
  readonly sockets?: Readonly<Record<string, Room>>;
  readonly apps?: readonly HttpApp[];
  /** One listener, or several by name: one that throws costs the others nothing. */
  readonly onBatch?: BatchListener | Readonly<Record<string, BatchListener>>;
  /** How many of its reactions to entries have failed. */
  readonly reactionFaults?: () => number;
  /** Goes on with, or ends, what an earlier life of the server left under way. */
  readonly recover?: () => Promise<void>;
  /** Lets go of what it keeps of the past in memory: some of it was erased. */
  readonly forget?: () => void;
  /** Tells whoever is there that the server is going; the sockets are closed by whoever owns them. */
  readonly close?: (reason: string) => void;
}

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
