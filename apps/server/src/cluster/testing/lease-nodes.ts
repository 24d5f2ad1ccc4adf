/** Nodes over one log in memory, by a clock that the test advances; each beats and may direct as in a server. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { createDispatch, lease, openProjections, type Dispatch, type Fault } from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { openMemoryLog, type Bus, type BusHandler, type Log } from "@atrium/log";
import type { Cluster } from "../cluster.ts";
import { openCluster } from "../open-cluster.ts";

export interface LeaseNode {
  readonly cluster: Cluster;
  /** As the director. */
  readonly direct: Dispatch;
  /** Why it directs no more. */
  readonly loss: () => string | undefined;
  /** Nothing of it happens any more, as if its process were stopped; its clock goes on. */
  stop(): void;
  wake(): Promise<void>;
  close(): Promise<void>;
}

export interface LeaseNodes extends AsyncDisposable {
  readonly log: Log;
  readonly faults: readonly Fault[];
  /** Why nothing can be written; nothing is while it is set. */
  trouble: string | undefined;
  /** Whether what one node publishes does not get to the other. */
  isCut: (from: string, to: string) => boolean;
  open(name: string, life?: string): Promise<LeaseNode>;
  /** In steps, so that what is published arrives in between. */
  pass(ms: number): Promise<void>;
  /** Who was granted the lease, in order; null where it was released. */
  grants(): Promise<readonly (string | null)[]>;
}

const STEP_MS = 50;
const UNAVAILABLE = { ok: false, reason: "unavailable" } as const;
const ABOUT = { url: "http://127.0.0.1/", version: "1" };

interface Ear {
  readonly node: string;
  readonly subject: string;
  readonly handler: BusHandler;
}

export function openLeaseNodes(): LeaseNodes {
  const log = openMemoryLog();
  const time = createTestTime();
  const ears = new Set<Ear>();
  const faults: Fault[] = [];
  const opened = new AsyncDisposableStack();
  opened.use(log);
  const flush = async (): Promise<void> => {
    for (let turns = 0; turns < 10; turns++) await nextTurn();
  };

  function busOf(node: string, run: (what: () => void) => void): Bus {
    return {
      publish(subject, bytes) {
        for (const ear of ears) {
          if (ear.subject !== subject || nodes.isCut(node, ear.node)) continue;
          setImmediate(() => ear.handler(bytes, undefined));
        }
      },
      subscribe(subject, handler) {
        const ear: Ear = {
          node,
          subject,
          handler: (bytes) => run(() => handler(bytes, undefined)),
        };
        ears.add(ear);
        return { [Symbol.dispose]: () => void ears.delete(ear) };
      },
      request: () => Promise.resolve(undefined),
    };
  }

  const nodes: LeaseNodes = {
    log,
    faults,
    trouble: undefined,
    isCut: () => false,
    async open(name, life = `${name}1`) {
      let held: { readonly timers: (() => void)[]; readonly rest: (() => void)[] } | undefined;
      const run = (what: () => void): void =>
        void (held === undefined ? what() : held.rest.push(what));
      const timers = {
        after: (ms: number, what: () => void) =>
          time.after(ms, () => (held === undefined ? what() : held.timers.push(what))),
      };
      const projections = await openProjections(log, []);
      const { settled } = projections;
      const onBatch: typeof projections.onBatch = (listener) =>
        projections.onBatch((entries) => run(() => listener(entries)));
      const append: Log["append"] = (...args) =>
        nodes.trouble === undefined ? log.append(...args) : Promise.resolve(UNAVAILABLE);
      const read: Log["read"] = (options) => log.read(options);
      const findKey: Log["findKey"] = (id) => log.findKey(id);
      const writable = { epoch: log.epoch, append, read, findKey };
      const dispatch = createDispatch({ log: writable, clock: time, settled, onBatch });
      const { cluster, direct } = await openCluster({
        log: {
          node: { id: name, life },
          bus: busOf(name, run),
          status: () => ({ applied: log.head, hash: "" }),
          append,
          read,
          get trouble() {
            return nodes.trouble;
          },
        },
        dispatch,
        projections: { onBatch },
        describe: () => ABOUT,
        timers,
        now: () => time.now(),
        report: (fault) => void faults.push(fault),
      });
      let loss: string | undefined;
      void cluster.lease.lost.then((reason) => (loss = reason));
      opened.use(projections);
      await flush();
      return {
        cluster,
        direct,
        loss: () => loss,
        stop() {
          held = { timers: [], rest: [] };
        },
        async wake() {
          const due = held;
          held = undefined;
          // As in a process: what is due comes before what waits at its sockets.
          for (const what of [...(due?.timers ?? []), ...(due?.rest ?? [])]) what();
          await flush();
        },
        async close() {
          await cluster[Symbol.asyncDispose]();
          await flush();
        },
      };
    },
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        time.advance(STEP_MS);
        await flush();
      }
    },
    async grants() {
      const entries = await Array.fromAsync(log.read({ stream: "lease/director" }));
      return entries.map((entry) => {
        const event = lease.read(entry);
        return event.type === "lease.granted" ? event.life : null;
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  return nodes;
}
