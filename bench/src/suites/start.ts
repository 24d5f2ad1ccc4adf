/**
 * How long from starting the process to being let in, and how much memory does it hold when idle?
 *
 * Cold: no compile cache and no home, as after an install (the page cache is warm either way). Warm:
 * the same again. The bare server shows what Node and `ws` take by themselves.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RawSocket } from "../load/raw-socket.ts";
import { interleave, type Lane, type Samples } from "../measure/interleave.ts";
import { residentBytes } from "../measure/process-stat.ts";
import { compare, type Suite } from "../report/finding.ts";
import { joinAtrium, launchAtrium } from "../servers/atrium.ts";
import { BARE_WS } from "../servers/bare-ws.ts";
import { startChild, type ChildServer } from "../servers/child-server.ts";

const REPETITIONS = 5;
const IDLE_REPETITIONS = 2;
const IDLE_MS = 3_000;

const launchBare = (): Promise<ChildServer> => startChild(BARE_WS);
const joinBare = ({ port }: ChildServer): Promise<RawSocket> => RawSocket.open(port);

export const start: Suite = {
  name: "start",
  question: "How long until the first peer is in, and what does an idle server hold?",
  async run() {
    await using kept = await makeFolder();
    const launchWarm = (): Promise<ChildServer> => launchIn(kept.path);
    const times = await interleave(
      [
        { name: "cold", measure: timeColdStart },
        { name: "warm", measure: () => timeStart(launchWarm, joinAtrium) },
        { name: "bare ws", measure: () => timeStart(launchBare, joinBare) },
      ],
      { repetitions: REPETITIONS, warmUp: true },
    );
    const idle = await sideBySide([
      { name: "warm", measure: () => weighIdle(launchWarm) },
      { name: "bare ws", measure: () => weighIdle(launchBare) },
    ]);
    const time = { measure: "ms to hello", value: (ms: number) => ms };
    const weight = { measure: "RSS MB after 3 s", value: (megabytes: number) => megabytes };
    return {
      findings: [
        compare(times, { ...time, what: "start, cold", ours: "cold", against: "bare ws" }),
        compare(times, { ...time, what: "start, warm", ours: "warm", against: "bare ws" }),
        compare(times, { ...time, what: "start, warm", ours: "warm", against: "cold" }),
        compare(idle, { ...weight, what: "idle, sqlite log", ours: "warm", against: "bare ws" }),
      ],
      notes: [],
    };
  },
};

function makeFolder(): ReturnType<typeof mkdtempDisposable> {
  return mkdtempDisposable(join(tmpdir(), "atrium-bench-"));
}

/** Set from outside, the compile cache is this folder's and not the checkout's. */
export function launchIn(folder: string, checkout?: URL): Promise<ChildServer> {
  const env = { NODE_COMPILE_CACHE: join(folder, "compile") };
  return launchAtrium({ log: "sqlite", home: join(folder, "home"), env, checkout });
}

async function timeColdStart(): Promise<number> {
  await using folder = await makeFolder();
  return await timeStart(() => launchIn(folder.path), joinAtrium);
}

async function timeStart(
  launch: () => Promise<ChildServer>,
  enter: (server: ChildServer) => Promise<RawSocket>,
): Promise<number> {
  const began = performance.now();
  await using server = await launch();
  const socket = await enter(server);
  const tookMs = performance.now() - began;
  socket.close();
  // The compile cache is written by a process that ends in peace.
  await server.end();
  return tookMs;
}

async function weighIdle(launch: () => Promise<ChildServer>): Promise<number> {
  await using server = await launch();
  await sleep(IDLE_MS);
  return residentBytes(server.pid) / 1e6;
}

/** At the same time: servers that wait do not disturb each other. */
async function sideBySide(lanes: readonly Lane<number>[]): Promise<Samples<number>> {
  const samples = new Map<string, number[]>(lanes.map(({ name }) => [name, []]));
  for (let repetition = 0; repetition < IDLE_REPETITIONS; repetition++) {
    await Promise.all(
      lanes.map(async ({ name, measure }) => samples.get(name)?.push(await measure())),
    );
  }
  return samples;
}
