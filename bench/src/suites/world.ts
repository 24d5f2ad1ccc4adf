/**
 * What does it cost to show the office to 1,000 people, and to have them all come back at once?
 *
 * There is nothing beside it that does the same, so these are figures and not ratios: processor time per
 * message, bytes per second and client, and how long coming back with 100 missed events takes.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createWorldClient, type WorldClient } from "@atrium/client";
import { RawSocket } from "../load/raw-socket.ts";
import type { Lane } from "../measure/interleave.ts";
import { cpuMicros, cpuSeconds } from "../measure/process-stat.ts";
import type { Suite } from "../report/finding.ts";
import { launchAtrium } from "../servers/atrium.ts";
import type { ChildServer } from "../servers/child-server.ts";

const WATCHERS = 1_000;
const WATCH_MS = 8_000;
const MISSED = 100;
const PATH = "/ws/world";
const LANE_WATCHERS = 500;
const LANE_PROJECTS = 4;
const LANE_PACE_MS = 1_500;
const LANE_SNAPSHOTS = 1_000;
const EVERYTHING = { events: true, snapshots: true, goals: true, chat: true };

export const world: Suite = {
  name: "world",
  question: "What does it cost to show the office to 1,000 people?",
  async run() {
    await using home = await mkdtempDisposable(join(tmpdir(), "atrium-bench-"));
    await using server = await launchAtrium({ log: "memory", home: home.path });
    using director = await openDirector(server);
    const watched = await watch(server, director);
    const returned = await comeBack(server, director);
    return { findings: [], notes: [...watched, ...returned] };
  },
};

/** What one message to a client costs the server, and its size. */
export interface Delivery {
  readonly micros: number;
  readonly bytes: number;
}

/**
 * Projects that come at the same pace, however long a version takes for one, while many watch; all work of the
 * office counts.
 */
export function watchLane(server: ChildServer, director: WorldClient): Lane<Delivery> {
  director.on("event", ({ payload: { name, project_id } }) => {
    if (name === "kickoff_finished") void director.command("auto_assign", { project_id });
  });
  return {
    name: `${LANE_WATCHERS} watching projects, each message`,
    async measure() {
      const sockets = await openMany(LANE_WATCHERS, () => enter(server));
      const count = countFrames(sockets);
      const before = cpuMicros(server.pid);
      for (let projects = 0; projects < LANE_PROJECTS; projects++) {
        await director.command("submit_request", { text: "A page for the bench" });
        await sleep(LANE_PACE_MS);
      }
      const spent = cpuMicros(server.pid) - before;
      for (const socket of sockets) socket.close();
      return { micros: spent / count.messages, bytes: count.bytes / count.messages };
    },
  };
}

/** Made anew for each request, which a subscription in a quiet office is not. */
export function snapshotLane({ pid, port, token }: ChildServer): Lane<Delivery> {
  return {
    name: "GET /api/office, a snapshot made anew",
    async measure() {
      let bytes = 0;
      const before = cpuMicros(pid);
      for (let n = 0; n < LANE_SNAPSHOTS; n++) {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`http://127.0.0.1:${port}/api/office`, { headers });
        bytes += (await response.arrayBuffer()).byteLength;
      }
      const spent = cpuMicros(pid) - before;
      return { micros: spent / LANE_SNAPSHOTS, bytes: bytes / LANE_SNAPSHOTS };
    },
  };
}

interface FrameCount {
  messages: number;
  bytes: number;
  snapshots: number;
}

/** Goes on counting as long as they are open. */
function countFrames(sockets: readonly RawSocket[]): FrameCount {
  const count = { messages: 0, bytes: 0, snapshots: 0 };
  for (const socket of sockets) {
    socket.isCounted = (bytes, at) => {
      if (isSnapshotAt(bytes, at)) count.snapshots += 1;
      return true;
    };
    socket.onFrames = (messages, bytes) => {
      count.messages += messages;
      count.bytes += bytes;
    };
  }
  return count;
}

async function watch(server: ChildServer, director: WorldClient): Promise<readonly string[]> {
  const sockets = await openMany(WATCHERS, () => enter(server));
  const count = countFrames(sockets);
  // One who wants nothing else, to tell what snapshots cost a client.
  const onlooker = await enter(server, { channels: { snapshots: true } });
  const shown = countFrames([onlooker]);
  const before = cpu(server.pid);
  const started = performance.now();
  while (performance.now() - started < WATCH_MS) await busyProject(director);
  const seconds = (performance.now() - started) / 1_000;
  const spent = cpu(server.pid) - before;
  for (const socket of [...sockets, onlooker]) socket.close();
  const perClient = (figure: number): string => (figure / WATCHERS / seconds).toFixed(1);
  return [
    `${WATCHERS} watching a busy office for ${seconds.toFixed(1)} s: ${count.messages} messages, ` +
      `${((spent * 1e6) / count.messages).toFixed(1)} µs of server CPU each, all work of the office included`,
    `per client: ${perClient(count.messages)} messages/s, of them ${perClient(count.snapshots)} snapshots/s; ` +
      `${perClient(count.bytes)} bytes/s in all, of them ${(shown.bytes / seconds).toFixed(0)} for snapshots`,
  ];
}

async function comeBack(server: ChildServer, director: WorldClient): Promise<readonly string[]> {
  const { seq: last_seq = 0, epoch = "" } = director.snapshot ?? {};
  const told = { count: 0 };
  const stops = (["event", "agent_goal", "chat"] as const).map((type) =>
    director.on(type, () => void told.count++),
  );
  while (told.count < MISSED) await busyProject(director);
  for (const stop of stops) stop();
  const before = cpu(server.pid);
  const started = performance.now();
  const sockets = await openMany(WATCHERS, () => enter(server, { resume: { last_seq, epoch } }));
  const ms = performance.now() - started;
  const spent = (cpu(server.pid) - before) * 1_000;
  for (const socket of sockets) socket.close();
  return [
    `${WATCHERS} coming back at once with ${told.count} missed messages each: all have them and the snapshot after ` +
      `${ms.toFixed(0)} ms; ${(spent / WATCHERS).toFixed(2)} ms of server CPU each`,
  ];
}

export async function openDirector({ port, token }: ChildServer): Promise<WorldClient> {
  const url = `ws://127.0.0.1:${port}${PATH}`;
  const director = createWorldClient({ url, client: { name: "bench" }, token });
  await director.connect();
  return director;
}

/** A request that is planned and handed out. */
export async function busyProject(director: WorldClient): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = director.on("event", ({ payload }) => {
    if (payload.name === "kickoff_finished") resolve(payload.project_id);
  });
  await director.command("submit_request", { text: "A page for the bench" });
  const project_id = await promise;
  stop();
  await director.command("auto_assign", { project_id });
  await sleep(1_000);
}

function openMany(count: number, open: () => Promise<RawSocket>): Promise<readonly RawSocket[]> {
  return Promise.all(Array.from({ length: count }, open));
}

/** In, and told how things stand. */
async function enter(
  { port, token }: ChildServer,
  { resume, channels = EVERYTHING }: { resume?: object; channels?: object } = {},
): Promise<RawSocket> {
  const socket = await RawSocket.open(port, PATH);
  const say = (type: string, payload: object): void =>
    socket.send(JSON.stringify({ type, id: `${type}_1`, ts: 1, v: 1, payload }));
  const welcome = socket.next((head) => head.startsWith('{"type":"hello_ack"'));
  say("hello", { auth: { token }, ...(resume !== undefined && { resume }) });
  await welcome;
  const shown = socket.next((head) => head.startsWith('{"type":"snapshot"'));
  say("subscribe", { scene_id: "cozy_office_v0", channels });
  await shown;
  return socket;
}

const SNAPSHOT_AT = '{"type":"'.length;
const S = "s".charCodeAt(0);

/** No other type begins with an s. */
function isSnapshotAt(bytes: Buffer, at: number): boolean {
  return bytes[at + SNAPSHOT_AT] === S;
}

function cpu(pid: number): number {
  const { user, system } = cpuSeconds(pid);
  return user + system;
}
