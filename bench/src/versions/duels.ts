/** What two versions are compared in: the lanes of the suites, with each of them as the server. */
import { mkdtempDisposable } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Metered } from "../measure/meter.ts";
import { cpuSeconds, residentBytes } from "../measure/process-stat.ts";
import { launchAtrium, startAtrium, type AtriumOptions } from "../servers/atrium.ts";
import type { ChildServer } from "../servers/child-server.ts";
import { startAtriumSignals } from "../servers/signal-target.ts";
import { appendLanes } from "../suites/appends.ts";
import { buildsLane } from "../suites/builds.ts";
import { chatLanes, LOGS } from "../suites/chat.ts";
import { gather } from "../suites/fanout.ts";
import { floodLane } from "../suites/flood.ts";
import { memoryLane } from "../suites/memory.ts";
import { askEcho, askHealth, LOADS, roundtripLane } from "../suites/roundtrips.ts";
import { signalLane } from "../suites/signals.ts";
import { launchIn } from "../suites/start.ts";
import { busyProject, openDirector, snapshotLane, watchLane } from "../suites/world.ts";
import { createDuel, type Duel } from "./duel.ts";

const STARTS = 15;
/** By then a server has given back what only the start needed. */
const IDLE_MS = 3_000;
const WINDOWS = [1, 16];
const OURS = new URL("../../../", import.meta.url);

const metered = [
  ["per second", ({ perSecond }: Metered) => perSecond],
  ["server CPU µs", ({ serverMicros }: Metered) => serverMicros],
] as const;

const start = createDuel({
  name: "start",
  repetitions: STARTS,
  warmUp: true,
  async lanes(checkout, opened) {
    const folder = opened.use(await makeFolder());
    const measure = async (): Promise<{ cpu: number; resident: number }> => {
      await using server = await launchIn(folder.path, checkout);
      await sleep(IDLE_MS);
      const { user, system } = cpuSeconds(server.pid);
      const resident = residentBytes(server.pid) / 1e6;
      // The compile cache is written by a process that ends in peace.
      await server.end();
      return { cpu: (user + system) * 1_000, resident };
    };
    return [{ name: "a start, and 3 s of nothing", measure }];
  },
  measures: [
    ["server CPU ms", ({ cpu }) => cpu],
    ["RSS MB", ({ resident }) => resident],
  ],
});

const roundtrips = createDuel({
  name: "roundtrips",
  repetitions: 7,
  warmUp: true,
  async lanes(checkout, opened) {
    const atrium = opened.use(await startAtrium("memory", checkout));
    const asked = [
      ["health", askHealth],
      ["system.echo", askEcho],
    ] as const;
    const lanes = LOADS.flatMap((load) =>
      asked.map(([name, ask]) => roundtripLane(`${name}, ${load.name}`, atrium, ask, load)),
    );
    return Promise.all(lanes);
  },
  measures: metered,
});

const flood = createDuel({
  name: "flood",
  repetitions: 5,
  warmUp: true,
  lanes: async (checkout, opened) => [
    await floodLane(
      "health beside a flood 64 deep",
      opened.use(await startAtrium("memory", checkout)),
    ),
  ],
  measures: [
    ["p50 ms", ({ p50 }) => p50],
    ["p99 ms", ({ p99 }) => p99],
    ["flood per second", ({ floodPerSecond }) => floodPerSecond],
  ],
});

const appends = createDuel({
  name: "appends",
  repetitions: 7,
  warmUp: true,
  async lanes(checkout = OURS, opened) {
    const folder = opened.use(await makeFolder());
    const { href } = new URL("packages/log/src/index.ts", checkout);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same package of another version
    const { openSqliteLog } = (await import(href)) as typeof import("@atrium/log");
    const file = join(folder.path, "log.db");
    return appendLanes(opened.use(await openSqliteLog({ file, durability: "full" })));
  },
  measures: [
    ["rows per second", ({ perSecond }) => perSecond],
    ["CPU µs per row", ({ cpuMicros }) => cpuMicros],
  ],
});

const chat = createDuel({
  name: "chat",
  repetitions: 7,
  warmUp: true,
  async lanes(checkout, opened) {
    const lanes = LOGS.map(async (log) =>
      chatLanes(opened.use(await startAtrium(log, checkout)), log),
    );
    return (await Promise.all(lanes)).flat();
  },
  measures: [
    ["ms until the end", ({ end }) => end],
    ["server CPU µs", ({ cpu }) => cpu],
  ],
});

const builds = createDuel({
  name: "builds",
  repetitions: 5,
  warmUp: true,
  async lanes(checkout, opened) {
    const atrium = await openServer("sqlite", checkout, opened);
    const agent = new Agent({ maxSockets: Infinity });
    opened.defer(() => agent.destroy());
    return [buildsLane(atrium, agent)];
  },
  measures: [
    ["ms until all have ended", ({ ms }) => ms],
    ["server CPU µs per event", ({ cpu }) => cpu],
  ],
});

const fanout = createDuel({
  name: "fanout",
  repetitions: 5,
  warmUp: true,
  async lanes(checkout, opened) {
    const crowds = LOGS.map(async (log) => {
      const laneWith = await gather(opened.use(await startAtrium(log, checkout)));
      return WINDOWS.map((window) => ({
        ...laneWith(window),
        name: `1,000 peers, ${log} log, W=${window}`,
      }));
    });
    return (await Promise.all(crowds)).flat();
  },
  measures: metered,
});

const signals = createDuel({
  name: "signals",
  repetitions: 5,
  warmUp: true,
  lanes: (checkout, opened) =>
    Promise.all(
      LOGS.map(async (log) => signalLane(opened.use(await startAtriumSignals(log, checkout)))),
    ),
  measures: [
    ["server CPU µs per delivery", ({ serverMicros }) => serverMicros],
    ["lag at the end, ms", ({ lagMs }) => lagMs],
    ["resident MB", ({ residentMegabytes }) => residentMegabytes],
  ],
});

const world = createDuel({
  name: "world",
  repetitions: 7,
  warmUp: true,
  async lanes(checkout, opened) {
    const [watched, quiet] = [
      await openServer("memory", checkout, opened),
      await openServer("memory", checkout, opened),
    ];
    const director = opened.use(await openDirector(watched));
    const other = opened.use(await openDirector(quiet));
    for (let projects = 0; projects < 3; projects++) await busyProject(other);
    return [watchLane(watched, director), snapshotLane(quiet)];
  },
  measures: [
    ["server CPU µs", ({ micros }) => micros],
    ["bytes", ({ bytes }) => bytes],
  ],
});

const memory = createDuel({
  name: "memory",
  repetitions: 5,
  warmUp: false,
  lanes: async (checkout) => [memoryLane("an idle peer", () => startAtrium("sqlite", checkout))],
  measures: [
    ["KB at 1,000", ({ some }) => some],
    ["KB at 5,000", ({ many }) => many],
  ],
});

export const DUELS: readonly Duel[] = [
  start,
  memory,
  roundtrips,
  flood,
  appends,
  chat,
  builds,
  fanout,
  signals,
  world,
];

async function openServer(
  log: AtriumOptions["log"],
  checkout: URL | undefined,
  opened: AsyncDisposableStack,
): Promise<ChildServer> {
  const home = opened.use(await makeFolder());
  return opened.use(await launchAtrium({ log, home: home.path, checkout }));
}

function makeFolder(): ReturnType<typeof mkdtempDisposable> {
  return mkdtempDisposable(join(tmpdir(), "atrium-bench-"));
}
