/**
 * The parts of the server, by name. Each is started and closed by itself, so that a failure of one does not affect the
 * others: it is reported, and only a failing log stops them all.
 */
import { Fault, type BatchListener, type Projections } from "@atrium/core";
import { LogFault, type Log } from "@atrium/log";
import type { HttpApp } from "../http/api.ts";
import type { Home } from "../platform/home.ts";
import type { Config, ProcessInputs } from "../settings/read-config.ts";
import type { Room } from "../sockets/peer.ts";

export interface ServerOptions {
  readonly config: Config;
  /** What the settings were read from, besides their file. */
  readonly inputs: ProcessInputs;
  /** False: they are those of an earlier life, because the file cannot be used as it is; left out: true. */
  readonly isFileUsed?: boolean;
  readonly home: Home;
  readonly version: string;
  /** Opens another log than the settings name. */
  readonly openLog?: () => Promise<Log>;
  /** For keys that must not be in a file. */
  readonly readEnv: (name: string) => string | undefined;
  readonly report: (fault: Fault) => void;
  /** Writes a line to the journal that is not a fault. */
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

/** One part of the server: its sockets and routes, and its listeners to the log. */
export interface Part {
  /** By path. */
  readonly sockets?: Readonly<Record<string, Room>>;
  readonly apps?: readonly HttpApp[];
  /** One listener, or several by name: one that throws costs the others nothing. */
  readonly onBatch?: BatchListener | Readonly<Record<string, BatchListener>>;
  /** How many of its reactions to entries have failed. */
  readonly reactionFaults?: () => number;
  /** Resumes or ends what was in progress when the server last stopped. */
  readonly recover?: () => Promise<void>;
  /** What only the node that directs does; it begins when this node is to direct. */
  readonly directs?: Pick<Part, "onBatch" | "recover">;
  /** Follows settings that have changed. */
  readonly onSettings?: () => Promise<void> | undefined | void;
  /** Drops what it has cached of the past, because some of it was erased. */
  readonly forget?: () => void;
  /** Tells its peers that the server is closing; the listener closes the sockets. */
  readonly close?: (reason: string) => void;
}

export type Parts = Readonly<Record<string, Part>>;

type BatchSource = Pick<Projections, "onBatch">;

export function listenToLog(parts: Parts, projections: BatchSource): void {
  for (const [name, part] of Object.entries(parts)) listen(name, part, projections);
}

function listen(name: string, { onBatch = {} }: Pick<Part, "onBatch">, from: BatchSource): void {
  if (typeof onBatch === "function") return from.onBatch(onBatch, name);
  for (const [of, each] of Object.entries(onBatch)) from.onBatch(each, `${name}.${of}`);
}

export async function recoverParts(parts: Parts, report: ServerOptions["report"]): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    await attempt(`${name} could not take up what it left`, report, () => part.recover?.());
  }
}

/**
 * One after the other: each part listens and takes up what was left before the next one does, because what the next one
 * begins anew must not be taken for something that was left.
 */
export async function directParts(
  parts: Parts,
  projections: BatchSource,
  { report, isOpen }: Pick<ServerOptions, "report"> & { readonly isOpen: () => boolean },
): Promise<void> {
  for (const [name, { directs }] of Object.entries(parts)) {
    if (directs === undefined || !isOpen()) continue;
    listen(name, directs, projections);
    await attempt(`${name} could not take up what was left`, report, () => directs.recover?.());
  }
}

export async function tellSettings(parts: Parts, report: ServerOptions["report"]): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    await attempt(`${name} could not follow the settings`, report, () => part.onSettings?.());
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
  work: () => Promise<void> | undefined | void,
): Promise<void> {
  try {
    await work();
  } catch (cause) {
    // A malformed entry is the caller's fault; after any other failure the log can keep nothing.
    if (cause instanceof LogFault && cause.code !== "malformed") throw cause;
    report(new Fault(failure, {}, cause));
  }
}
