/**
 * The right to direct, as this node has it or not.
 *
 *   watching -- free, or its holder silent --> take (of several, the log's order decides) --> held --> lost
 *
 * Lost is for good: whoever has directed and does so no more starts again. It is lost when the log has a newer grant,
 * and already when the own heartbeats have not got out for so long that another node may be about to take it: what
 * happens outside of the log cannot be fenced off, so it has to stop before.
 */
import {
  accept,
  DIRECTOR_LEASE,
  lease,
  refuse,
  streamOf,
  type BatchListener,
  type Dispatch,
  type LeaseState,
  type Outcome,
  type RefusalCode,
} from "@atrium/core";
import type { AppendResult, Entry, Guard, Log, NodeIdentity } from "@atrium/log";
import type { Lease } from "./cluster.ts";
import { SILENT_BEATS, type Membership } from "./membership.ts";

export interface DirectorLeaseDeps {
  readonly self: NodeIdentity;
  readonly log: Pick<Log, "append" | "read" | "trouble">;
  readonly dispatch: Dispatch;
  readonly members: () => Pick<
    Membership,
    "beats" | "silenceOf" | "isKnown" | "unheardMs" | "isLate" | "hadOthers"
  >;
  /** Someone else holds it, or nobody. */
  readonly onChange: () => void;
  /** It could not be taken or released. */
  readonly report: (cause: unknown) => void;
}

type Stage =
  | { readonly state: "watching" | "lost" }
  | { readonly state: "held"; readonly version: number };

/** Before any other node may count this one as gone. */
const RENEWAL_MS = 1_500;
/**
 * A node that lost the lease to one which it has never heard lives itself, so the other one may too: they do not hear
 * each other, and taking it back would only begin the same again.
 */
const PATIENT_BEATS = 200;
/** How long the director's writes wait while nothing can be written: longer than any election. */
const MAX_WAITING_BEATS = 100;
/** No stream is ever at this version. */
const NEVER = Number.MAX_SAFE_INTEGER;
const LEASE_STREAM = streamOf(lease, DIRECTOR_LEASE);

export class DirectorLease implements Lease {
  readonly #deps: DirectorLeaseDeps;
  readonly #granted = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<string>();
  #stage: Stage = { state: "watching" };
  #lease: LeaseState = lease.initial;
  /** Every life that was ever granted it. */
  readonly #directed = new Set<string>();
  /** The newest entry of the lease, and the beat at which it was seen. */
  #newest: Pick<Entry, "seq" | "at"> = { seq: 0, at: 0 };
  #seenAtBeat = 0;
  #wasHeard = false;
  #taking: Promise<void> | undefined;
  #isClosing = false;
  #nextBeat = Promise.withResolvers<void>();

  constructor(deps: DirectorLeaseDeps) {
    this.#deps = deps;
  }

  get isHeld(): boolean {
    return this.#stage.state === "held";
  }

  get granted(): Promise<void> {
    return this.#granted.promise;
  }

  get lost(): Promise<string> {
    return this.#lost.promise;
  }

  readonly guard = (): Guard => {
    const version = this.#stage.state === "held" ? this.#stage.version : NEVER;
    return { stream: LEASE_STREAM, version };
  };

  /** The node that holds it, as far as anyone has heard of it lately, and since when. */
  get holder(): { readonly node: string; readonly since: number } | undefined {
    const { holder } = this.#lease;
    if (holder === null) return undefined;
    const { node, life } = holder;
    const isHere = life === this.#deps.self.life;
    const isAlive = isHere ? this.isHeld : this.#silenceOf(life) < SILENT_BEATS;
    return isAlive ? { node, since: this.#newest.at } : undefined;
  }

  /** Whether that life directs or did so once. */
  hasDirected(life: string): boolean {
    return this.#directed.has(life);
  }

  /**
   * For whoever directs: refused without asking the log where this node does not. While nothing can be written it
   * waits: no run fails because servers elect a leader.
   */
  readonly dispatch: Dispatch = (aggregate, id, command, key) =>
    this.#whileHeld(() => this.#deps.dispatch(aggregate, id, command, key, this.guard()));

  /** Expects a version that no stream ever has, so nothing is written; but the log looks at the guard first. */
  readonly confirm = (): Promise<Outcome<void>> =>
    this.#whileHeld(async () => {
      const guard = this.guard();
      const answer = await this.#deps.log.append(LEASE_STREAM, NEVER, [], { guard });
      if (answer.ok || answer.reason === "conflict") return accept(undefined);
      return refuse(codeOf(answer.reason));
    });

  async #whileHeld<T>(act: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    for (let beats = 0; ; beats++) {
      if (!this.isHeld) return refuse("log.fenced");
      const done = await act();
      if (!done.ok && done.code === "log.fenced") this.#lose("another node has taken over");
      const isOver = done.ok || done.code !== "log.unavailable" || beats === MAX_WAITING_BEATS;
      if (isOver || this.#isClosing) return done;
      await this.#nextBeat.promise;
    }
  }

  readonly abandon = (): void => {
    if (this.isHeld) this.#stage = { state: "lost" };
    this.#nextBeat.resolve();
  };

  /** What the log says of it so far. Call once, after `onBatch` listens. */
  async start(): Promise<void> {
    for await (const entry of this.#deps.log.read({ stream: LEASE_STREAM })) this.#apply(entry);
  }

  readonly onBatch: BatchListener = (entries) => {
    const { seq } = this.#newest;
    for (const entry of entries) if (entry.stream === LEASE_STREAM) this.#apply(entry);
    if (this.#newest.seq !== seq) this.consider();
  };

  /** Looks at everything again; call with every beat. */
  readonly consider = (): void => {
    this.#nextBeat.resolve();
    this.#nextBeat = Promise.withResolvers<void>();
    const members = this.#deps.members();
    const { holder } = this.#lease;
    if (holder !== null && members.isKnown(holder.life)) this.#wasHeard = true;
    const { hadOthers, unheardMs, isLate } = members;
    if (this.isHeld && hadOthers && unheardMs > RENEWAL_MS && !isLate) {
      this.#lose(`its heartbeats have not got out for ${Math.round(unheardMs)} ms`);
    }
    const isFree = this.#stage.state === "watching" && this.#mayTake();
    if (isFree && this.#taking === undefined && !this.#isClosing) this.#take();
  };

  /** Gives it up, so that the next one need not wait until this node is missed. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#nextBeat.resolve();
    await this.#taking;
    const { self, dispatch, report } = this.#deps;
    if (this.#lease.holder?.life !== self.life) return;
    try {
      await dispatch(lease, DIRECTOR_LEASE, { type: "release", life: self.life });
    } catch (cause) {
      report(cause);
    }
  }

  #mayTake(): boolean {
    const { self, log, members } = this.#deps;
    if (log.trouble !== undefined) return false;
    const { holder, takenFrom } = this.#lease;
    if (holder === null) return true;
    // An earlier life of this node has ended: nobody answered to its name. Unless another one began at the same moment.
    if (holder.node === self.id && !members().isKnown(holder.life)) return true;
    const isPatient = takenFrom === self.id && !this.#wasHeard;
    return this.#silenceOf(holder.life) >= (isPatient ? PATIENT_BEATS : SILENT_BEATS);
  }

  #take(): void {
    const { self, dispatch, report } = this.#deps;
    const from = this.#lease.holder?.life ?? null;
    const command = { type: "take", node: self.id, life: self.life, from } as const;
    // What came of it is in the log, where everyone reads it.
    this.#taking = dispatch(lease, DIRECTOR_LEASE, command)
      .then(() => undefined, report)
      .finally(() => (this.#taking = undefined));
  }

  #apply(entry: Entry): void {
    if (entry.seq <= this.#newest.seq) return;
    this.#lease = lease.evolve(this.#lease, lease.read(entry));
    this.#newest = entry;
    this.#seenAtBeat = this.#deps.members().beats;
    this.#wasHeard = false;
    const { holder } = this.#lease;
    if (holder !== null) this.#directed.add(holder.life);
    if (this.isHeld) this.#lose(`${holder?.node ?? "nobody"} directs now`);
    else if (holder?.life === this.#deps.self.life) this.#hold(entry.seq);
    this.#deps.onChange();
  }

  #hold(version: number): void {
    if (this.#stage.state !== "watching") return;
    this.#stage = { state: "held", version };
    this.#granted.resolve();
  }

  #lose(reason: string): void {
    if (!this.isHeld || this.#isClosing) return;
    this.#stage = { state: "lost" };
    this.#lost.resolve(reason);
  }

  #silenceOf(life: string): number {
    return this.#deps.members().silenceOf(life, this.#seenAtBeat);
  }
}

function codeOf(reason: Exclude<AppendResult, { readonly ok: true }>["reason"]): RefusalCode {
  switch (reason) {
    case "fenced":
    case "busy":
    case "unavailable":
      return `log.${reason}`;
    case "conflict":
    case "key-reused":
    case "oversize":
      return "internal";
  }
}
