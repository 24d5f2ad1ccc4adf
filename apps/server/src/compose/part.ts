/** What a server is opened with, and what its parts look like to whoever puts them together. */
import type { BatchListener, Fault } from "@atrium/core";
import type { HttpApp } from "../http/api.ts";
import type { Home } from "../platform/home.ts";
import type { Config } from "../settings/read-config.ts";
import type { Room } from "../sockets/peer.ts";

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
  /** Goes on with, or ends, what an earlier life of the server left under way. */
  readonly recover?: () => Promise<void>;
  /** Lets go of what it keeps of the past in memory: some of it was erased. */
  readonly forget?: () => void;
  /** Tells whoever is there that the server is going; the sockets are closed by whoever owns them. */
  readonly close?: (reason: string) => void;
}
