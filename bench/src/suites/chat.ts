/**
 * What does a turn cost besides the agent's own work? One message after the other is sent to an agent that
 * answers at once: how long until it is acknowledged (durable with the SQLite log), until the first words
 * come, until the end; and the server's CPU for all of it. Beside it one bare round trip, as the unit, and
 * the two methods that chat windows use most.
 */
import type { RawSocket } from "../load/raw-socket.ts";
import { interleave, type Lane, type Samples } from "../measure/interleave.ts";
import { cpuMicros } from "../measure/process-stat.ts";
import { spreadOf } from "../measure/spread.ts";
import { compare, type Finding, type Suite } from "../report/finding.ts";
import { startAtrium } from "../servers/atrium.ts";
import { startBareWs } from "../servers/bare-ws.ts";
import { requestText } from "../servers/gateway-frames.ts";
import type { Target } from "../servers/target.ts";

const REPETITIONS = 5;
const TURNS = 200;
const EXCHANGES = 1_000;
/** A new conversation every so often: a turn is given what was said before it, and that should not grow for ever. */
const TURNS_PER_CONVERSATION = 20;
const EARLIER = 200;
const BARE = "bare echo";
export const LOGS = ["sqlite", "memory"] as const;

/** In milliseconds, the median of a repetition; CPU in microseconds for each. */
type Sample = Readonly<Record<"ack" | "words" | "end" | "cpu", number>>;
type Times = readonly [ack: number, words: number, end: number];

export const chat: Suite = {
  name: "chat",
  question: "What does a turn cost besides the agent's own work?",
  async run() {
    await using stack = new AsyncDisposableStack();
    const bare = stack.use(await startBareWs());
    const echo = await bare.join();
    const bareLane = (id: string) => exchange(echo, requestText(id, "health"));
    const lanes = [laneOf(BARE, bare, EXCHANGES, bareLane)];
    for (const log of LOGS) {
      lanes.push(...(await chatLanes(stack.use(await startAtrium(log)), log)));
    }
    const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
    return { findings: LOGS.flatMap((log) => findingsOf(log, samples)), notes: [] };
  },
};

export async function chatLanes(atrium: Target, log: string): Promise<Lane<Sample>[]> {
  const socket = await atrium.join();
  const note = { sessionKey: "notes", message: "a note of some length, as notes are" };
  await turn(socket, "first", "notes");
  for (let n = 0; n < EARLIER; n++) {
    await exchange(socket, requestText(`${n}`, "chat.inject", note));
  }
  const history = { sessionKey: "notes", limit: 50 };
  return [
    laneOf(`a turn, ${log} log`, atrium, TURNS, (id, n) =>
      turn(socket, id, `talk-${Math.floor(n / TURNS_PER_CONVERSATION)}`),
    ),
    laneOf(`chat.history of 50, ${log} log`, atrium, EXCHANGES, (id) =>
      exchange(socket, requestText(id, "chat.history", history)),
    ),
    laneOf(`chat.inject, ${log} log`, atrium, EXCHANGES, (id) =>
      exchange(socket, requestText(id, "chat.inject", note)),
    ),
  ];
}

function laneOf(
  name: string,
  { pid }: Target,
  count: number,
  once: (id: string, n: number) => Promise<Times>,
): Lane<Sample> {
  let made = 0;
  return {
    name,
    async measure() {
      const times: Times[] = [];
      const before = cpuMicros(pid);
      for (let n = 0; n < count; n++, made++) times.push(await once(`${name} ${made}`, made));
      const cpu = (cpuMicros(pid) - before) / count;
      const median = (at: number): number => spreadOf(times.map((each) => each[at] ?? 0)).median;
      return { ack: median(0), words: median(1), end: median(2), cpu };
    },
  };
}

async function exchange(socket: RawSocket, request: string): Promise<Times> {
  const began = performance.now();
  const answer = socket.next((head) => head.startsWith('{"type":"res"'));
  socket.send(request);
  await answer;
  const took = performance.now() - began;
  return [took, took, took];
}

/** Everything of a turn comes in order, so each part is waited for once the one before is there. */
async function turn(socket: RawSocket, id: string, sessionKey: string): Promise<Times> {
  const began = performance.now();
  const times: number[] = [];
  const parts = ['{"type":"res"', '"state":"delta"', '"state":"final"'];
  const came = socket.next((head) => {
    const part = parts[times.length];
    if (part !== undefined && isPart(head, part)) times.push(performance.now() - began);
    return times.length === parts.length;
  });
  const params = { sessionKey, message: "[[say: here]]", idempotencyKey: id };
  socket.send(requestText(id, "chat.send", params));
  await came;
  const [ack = NaN, words = NaN, end = NaN] = times;
  return [ack, words, end];
}

function isPart(head: string, part: string): boolean {
  return part.startsWith("{") ? head.startsWith(part) : head.includes(part);
}

function findingsOf(log: string, samples: Samples<Sample>): Finding[] {
  const measures = [
    [`a turn, ${log} log`, "ms until acknowledged", "ack"],
    [`a turn, ${log} log`, "ms until the first words", "words"],
    [`a turn, ${log} log`, "ms until the end", "end"],
    [`a turn, ${log} log`, "server CPU µs", "cpu"],
    [`chat.history of 50, ${log} log`, "ms", "end"],
    [`chat.history of 50, ${log} log`, "server CPU µs", "cpu"],
    [`chat.inject, ${log} log`, "ms", "end"],
    [`chat.inject, ${log} log`, "server CPU µs", "cpu"],
  ] as const;
  return measures.map(([ours, measure, member]) =>
    compare(samples, { what: ours, ours, against: BARE, measure, value: (one) => one[member] }),
  );
}
