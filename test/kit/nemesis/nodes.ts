/** Nodes that are paused, cut off, killed and born again over one chain. */
import type { Entry } from "@atrium/log";
import { openOnCopy, type ClusterLog } from "@atrium/log/chain";
import { drawFaults, NO_FAULTS } from "./faults.ts";
import { CopyStore, MemoryCopy } from "./memory-copy.ts";
import { NemesisBus, NemesisWires } from "./nemesis-bus.ts";
import { flip, NemesisChain, NemesisServers } from "./nemesis-chain.ts";
import { Owner, type Schedule } from "./schedule.ts";

/** One life of a node. */
export interface Life {
  readonly node: string;
  readonly owner: Owner;
  readonly chain: NemesisChain;
  readonly log: ClusterLog;
  /** What a reader that came with this life was given. */
  readonly tail: { readonly after: number; readonly entries: Entry[] };
}

export class Nodes {
  readonly servers: NemesisServers;
  readonly wires: NemesisWires;
  readonly lives: Life[] = [];
  readonly keyRetentionMs: number;
  readonly problems: string[] = [];
  readonly #schedule: Schedule;
  readonly #stores = new Map<string, CopyStore>();
  readonly #opening = new Map<string, Owner>();
  #births = 0;

  constructor(schedule: Schedule, names: readonly string[], keyRetentionMs: number) {
    this.#schedule = schedule;
    this.keyRetentionMs = keyRetentionMs;
    const faults = drawFaults(schedule);
    this.servers = new NemesisServers(schedule, faults);
    this.wires = new NemesisWires(schedule, faults);
    for (const name of names) this.#stores.set(name, new CopyStore());
  }

  get names(): readonly string[] {
    return [...this.#stores.keys()];
  }

  /** The lives that can be asked something. */
  get alive(): readonly Life[] {
    return this.lives.filter(({ owner }) => !owner.isDead);
  }

  open(node: string): void {
    const owner = new Owner();
    const store = this.#stores.get(node) ?? new CopyStore();
    const chain = new NemesisChain(this.#schedule, this.servers, owner);
    const bus = new NemesisBus(this.#schedule, this.wires, owner);
    const identity = { id: node, life: `${node}.${++this.#births}` };
    const copy = new MemoryCopy(this.#schedule, owner, store);
    const { keyRetentionMs } = this;
    const options = { chain, bus, node: identity, keyRetentionMs };
    this.#opening.set(node, owner);
    void this.#begin(node, owner, chain, openOnCopy(options, copy, this.#schedule.clockOf(owner)));
  }

  async #begin(
    node: string,
    owner: Owner,
    chain: NemesisChain,
    opening: Promise<ClusterLog>,
  ): Promise<void> {
    try {
      const log = await opening;
      const life = { node, owner, chain, log, tail: { after: log.head, entries: [] } };
      this.#opening.delete(node);
      this.lives.push(life);
      await follow(life);
    } catch (error) {
      this.#opening.delete(node);
      // Nobody answered for long, or whoever has what is missing does not live: whoever starts servers tries again.
      const isForNow = /nobody can tell|is missing/.test(String(error));
      if (isForNow) this.open(node);
      else this.problems.push(`${node} did not open: ${String(error)}`);
    }
  }

  kill(node: string, isCopyKept: boolean): void {
    for (const life of this.alive) if (life.node === node) life.owner.isDead = true;
    const opening = this.#opening.get(node);
    if (opening !== undefined) opening.isDead = true;
    this.#schedule.count(isCopyKept ? "killed" : "killed without its copy");
    if (!isCopyKept) this.#stores.set(node, new CopyStore());
    this.open(node);
  }

  pause(node: string, ms: number): void {
    for (const life of this.alive) {
      if (life.node !== node) continue;
      this.#schedule.count("paused");
      life.owner.pausedUntil = this.#schedule.now + ms;
    }
  }

  cut(node: string, ms: number): void {
    for (const life of this.alive) {
      if (life.node !== node) continue;
      this.#schedule.count("cut off");
      life.chain.isCut = true;
      this.#schedule.after(life.owner, ms, () => void (life.chain.isCut = false));
    }
  }

  /** Damages or loses a link at the servers that this node's copy has. */
  damage(node: string): void {
    const store = this.#stores.get(node);
    // The first says which log it is: without it nobody would know.
    const n = 2 + this.#schedule.below((store?.links.length ?? 0) - 1);
    const bytes = store?.links[n - 1]?.bytes;
    if (bytes === undefined) return;
    const damaged = this.#schedule.happens(0.5) ? undefined : flip(bytes, this.#schedule);
    this.#schedule.count(damaged === undefined ? "lost at the servers" : "damaged at the servers");
    this.servers.damages.set(n, damaged);
  }

  heal(): void {
    this.servers.faults = NO_FAULTS;
    this.wires.faults = NO_FAULTS;
    for (const { owner, chain } of this.alive) {
      owner.pausedUntil = 0;
      chain.isCut = false;
    }
  }

  entriesOf(node: string): readonly Entry[] {
    return this.#stores.get(node)?.entries ?? [];
  }

  /** Whether every node lives and has everything. */
  get isLevel(): boolean {
    const { length } = this.servers.links;
    return (
      this.names.every((name) => this.#stores.get(name)?.links.length === length) &&
      this.#opening.size === 0
    );
  }
}

async function follow({ log, tail }: Life): Promise<void> {
  for await (const batch of log.tail(tail.after)) tail.entries.push(...batch);
}
