/**
 * What does it cost to take in 10,000 signals a second and tell each to 50 subscribers?
 *
 * They are sent at that pace, whatever comes back; a sample is over when everyone has every one of them, so
 * nothing was lost. Ours are checked, kept and only then told; the bare server repeats what it hears.
 */
import { setTimeout } from "node:timers/promises";
import { maskedFrame } from "../load/masked-frame.ts";
import type { RawSocket } from "../load/raw-socket.ts";
import { interleave, type Lane } from "../measure/interleave.ts";
import { meter, type Metered } from "../measure/meter.ts";
import { residentBytes } from "../measure/process-stat.ts";
import { spreadOf } from "../measure/spread.ts";
import { compare, type Suite } from "../report/finding.ts";
import { generatorNotes } from "../report/generator-notes.ts";
import {
  startAtriumSignals,
  startBareSignals,
  type SignalTarget,
} from "../servers/signal-target.ts";

const SUBSCRIBERS = 50;
const PER_SECOND = 10_000;
const SECONDS = 3;
const BURST_MS = 10;
const REPETITIONS = 3;
const PATIENCE_MS = 60_000;
const MEGABYTE = 1024 * 1024;

interface Told extends Metered {
  /** From the last one sent to the last one received. */
  readonly lagMs: number;
  readonly residentMegabytes: number;
}

export const signals: Suite = {
  name: "signals",
  question: "What does it cost to take in 10,000 signals a second and tell 50 subscribers?",
  async run() {
    await using stack = new AsyncDisposableStack();
    const sqlite = stack.use(await startAtriumSignals("sqlite"));
    const memory = stack.use(await startAtriumSignals("memory"));
    const bare = stack.use(await startBareSignals());
    const lanes: Lane<Told>[] = [];
    for (const target of [sqlite, memory, bare]) lanes.push(await signalLane(target));
    const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
    const findings = [sqlite, memory].flatMap(({ name: ours }) => {
      const pair = { what: `${ours}, ${SUBSCRIBERS} subscribers`, ours, against: bare.name };
      return [
        compare(samples, { ...pair, measure: "deliveries/s", value: (told) => told.perSecond }),
        compare(samples, {
          ...pair,
          measure: "server CPU µs/delivery",
          value: (told) => told.serverMicros,
        }),
        compare(samples, { ...pair, measure: "lag at the end, ms", value: (told) => told.lagMs }),
        compare(samples, {
          ...pair,
          measure: "resident MB",
          value: (told) => told.residentMegabytes,
        }),
      ];
    });
    const growth = [...samples].map(([name, taken]) => {
      const { min, max } = spreadOf(taken.map((told) => told.residentMegabytes));
      return `${name} ${min.toFixed(0)} to ${max.toFixed(0)} MB`;
    });
    const sent = PER_SECOND * SECONDS * (REPETITIONS + 1);
    return {
      findings,
      notes: [
        ...generatorNotes("signals", samples),
        `signals: ${sent.toLocaleString("en-US")} sent to each server, all received by each of ${SUBSCRIBERS}; memory over the repetitions: ${growth.join("; ")}`,
      ],
    };
  },
};

export async function signalLane(target: SignalTarget): Promise<Lane<Told>> {
  const producer = await target.produce();
  const listeners: RawSocket[] = [];
  for (let n = 0; n < SUBSCRIBERS; n++) listeners.push(await target.listen());
  let repetition = 0;
  return {
    name: target.name,
    async measure() {
      const frames = framesOf(target, repetition++);
      let lagMs = 0;
      const metered = await meter(target.pid, async () => {
        const everyone = receiveAll(target, listeners, PER_SECOND * SECONDS);
        await send(producer, frames);
        const sentAt = performance.now();
        await everyone;
        lagMs = performance.now() - sentAt;
        return PER_SECOND * SECONDS * SUBSCRIBERS;
      });
      return { ...metered, lagMs, residentMegabytes: residentBytes(target.pid) / MEGABYTE };
    },
  };
}

/** What is sent in each burst; every signal is one frame. */
function framesOf({ publication }: SignalTarget, repetition: number): readonly Buffer[] {
  const perBurst = (PER_SECOND * BURST_MS) / 1000;
  return Array.from({ length: (SECONDS * 1000) / BURST_MS }, (_, burst) =>
    Buffer.concat(
      Array.from({ length: perBurst }, (_each, n) =>
        maskedFrame(publication(signalOf(repetition, burst * perBurst + n))),
      ),
    ),
  );
}

function signalOf(repetition: number, n: number): object {
  return {
    id: `bench-${repetition}-${n}`,
    type: "tool_call",
    timestamp: 1_794_700_000_000 + n,
    source: "bench",
    correlationId: `run-${n % 100}`,
    payload: { toolName: "search", agentId: `agent-${n % 10}`, input: { q: "tide tables" } },
  };
}

async function send(producer: RawSocket, frames: readonly Buffer[]): Promise<void> {
  const began = performance.now();
  for (const [burst, bytes] of frames.entries()) {
    const early = began + burst * BURST_MS - performance.now();
    if (early > 0) await setTimeout(early);
    producer.write(bytes);
  }
}

/** Resolves when each has so many; fails when they do not come. */
async function receiveAll(
  { isSignal }: SignalTarget,
  listeners: readonly RawSocket[],
  count: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const missing = new Map(listeners.map((listener) => [listener, count]));
  const overdue = globalThis.setTimeout(() => {
    const left = [...missing.values()].reduce((sum, each) => sum + each, 0);
    reject(new Error(`${left} deliveries did not come`));
  }, PATIENCE_MS);
  for (const listener of listeners) {
    listener.isCounted = isSignal;
    listener.onGone = reject;
    listener.onFrames = (got) => {
      const left = (missing.get(listener) ?? 0) - got;
      if (left > 0) missing.set(listener, left);
      else missing.delete(listener);
      if (left < 0) reject(new Error("more came than was sent"));
      if (missing.size === 0) resolve();
    };
  }
  try {
    await promise;
  } finally {
    clearTimeout(overdue);
  }
}
