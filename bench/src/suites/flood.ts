/**
 * How long does one peer wait for an answer while another sends as much as it can?
 *
 * Both peers live in this process, so what the generator needs to read the flood is part of both sides.
 */
import { closedLoop } from "../load/closed-loop.ts";
import { maskedFrame } from "../load/masked-frame.ts";
import type { RawSocket } from "../load/raw-socket.ts";
import { interleave, type Lane } from "../measure/interleave.ts";
import { quantile } from "../measure/spread.ts";
import { compare, type Suite } from "../report/finding.ts";
import { startAtrium } from "../servers/atrium.ts";
import { startBareWs } from "../servers/bare-ws.ts";
import { isAcceptedFrame, requestText } from "../servers/gateway-frames.ts";
import type { Target } from "../servers/target.ts";

const REPETITIONS = 5;
const FOR_MS = 1_000;
const FLOOD_DEPTH = 64;
const MAX_PROBES = 1_000_000;

export interface Waited {
  readonly p50: number;
  readonly p99: number;
  readonly floodPerSecond: number;
}

const request = (id: string): string => requestText(id, "health");

export const flood: Suite = {
  name: "flood",
  question: "How long does one peer wait while another floods?",
  async run() {
    await using stack = new AsyncDisposableStack();
    const atrium = await floodLane("Atrium", stack.use(await startAtrium("memory")));
    const bare = await floodLane("bare echo", stack.use(await startBareWs()));
    const samples = await interleave([atrium, bare], { repetitions: REPETITIONS, warmUp: true });
    const pair = { ours: "Atrium", against: "bare echo", what: "health beside a flood 64 deep" };
    return {
      findings: [
        compare(samples, { ...pair, measure: "p50 ms", value: ({ p50 }) => p50 }),
        compare(samples, { ...pair, measure: "p99 ms", value: ({ p99 }) => p99 }),
        compare(samples, {
          ...pair,
          measure: "flood round trips/s",
          value: ({ floodPerSecond }) => floodPerSecond,
        }),
      ],
      notes: [],
    };
  },
};

export async function floodLane(name: string, target: Target): Promise<Lane<Waited>> {
  const flooder = await target.join();
  const prober = await target.join();
  const options = { request, isAnswer: isAcceptedFrame, depth: FLOOD_DEPTH, forMs: FOR_MS };
  return {
    name,
    async measure() {
      const began = performance.now();
      const [answered, waits] = await Promise.all([closedLoop([flooder], options), probe(prober)]);
      const sorted = waits.toSorted((a, b) => a - b);
      return {
        p50: quantile(sorted, 0.5),
        p99: quantile(sorted, 0.99),
        floodPerSecond: (answered * 1000) / (performance.now() - began),
      };
    },
  };
}

/** One request after another; how long each took, in milliseconds. */
function probe(socket: RawSocket): Promise<number[]> {
  const frame = maskedFrame(request("1000"));
  const until = performance.now() + FOR_MS;
  const waits: number[] = [];
  return new Promise((resolve, reject) => {
    let asked = performance.now();
    socket.isCounted = isAcceptedFrame;
    socket.onGone = reject;
    socket.onFrames = () => {
      const now = performance.now();
      waits.push(now - asked);
      if (now > until || waits.length >= MAX_PROBES) return resolve(waits);
      asked = performance.now();
      socket.write(frame);
    };
    socket.write(frame);
  });
}
