/** A few nodes on a bus that loses what a test wants it to lose; who is there is what the test says. */
import type { Fault } from "@atrium/core";
import type { Bus, BusHandler } from "@atrium/log";
import { systemTimers, type Timers } from "../../platform/timers.ts";
import type { Cluster } from "../cluster.ts";

export interface FewNodes {
  /** Everything that one node needs; its log is at `heads`. */
  readonly depsOf: (node: string) => {
    readonly cluster: Pick<Cluster, "node" | "members" | "onChange">;
    readonly bus: Pick<Bus, "publish" | "subscribe">;
    readonly log: { readonly head: number };
    readonly settled: (seq: number) => Promise<void> | void;
    readonly timers: Timers;
    readonly report: (fault: Fault) => void;
  };
  /** Whether a message gets lost. */
  isLost: (subject: string, text: string) => boolean;
  readonly messages: string[];
  readonly faults: Fault[];
  /** Who is there from now on. */
  meet(...nodes: readonly string[]): void;
  /** The newest entry that a node knows and has folded. */
  moveTo(node: string, seq: number): void;
}

export function openFewNodes(...names: readonly string[]): FewNodes {
  const handlers: { readonly subject: string; readonly handler: BusHandler }[] = [];
  const heads = new Map<string, number>();
  const waiting: { readonly node: string; readonly seq: number; readonly go: () => void }[] = [];
  const watchers = new Set<() => void>();
  let present = names;
  const few: FewNodes = {
    isLost: () => false,
    messages: [],
    faults: [],
    meet(...nodes) {
      present = nodes;
      for (const watcher of watchers) watcher();
    },
    moveTo(node, seq) {
      heads.set(node, seq);
      for (const each of waiting) if (each.node === node && each.seq <= seq) each.go();
    },
    depsOf: (node) => ({
      cluster: {
        node,
        members: () =>
          present.map((name) => {
            const rest = { url: "", version: "", applied: 0, hash: "" };
            return { node: name, life: name, ...rest };
          }),
        onChange(watcher) {
          watchers.add(watcher);
          return { [Symbol.dispose]: () => void watchers.delete(watcher) };
        },
      },
      bus: {
        publish(subject, bytes) {
          // As a NATS server does by default.
          if (bytes.length > 1_048_576) throw new Error("too much for one message");
          const text = Buffer.from(bytes).toString();
          if (few.isLost(subject, text)) return;
          few.messages.push(text);
          for (const each of handlers) {
            if (each.subject === subject) setImmediate(() => each.handler(bytes, undefined));
          }
        },
        subscribe(subject, handler) {
          const each = { subject, handler };
          handlers.push(each);
          return { [Symbol.dispose]: () => void handlers.splice(handlers.indexOf(each), 1) };
        },
      },
      log: {
        get head() {
          return heads.get(node) ?? 0;
        },
      },
      settled: (seq) =>
        seq <= (heads.get(node) ?? 0)
          ? undefined
          : new Promise((go) => {
              waiting.push({ node, seq, go });
            }),
      timers: systemTimers,
      report: (fault) => void few.faults.push(fault),
    }),
  };
  return few;
}
