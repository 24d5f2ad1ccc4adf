/**
 * What do a hundred builds at once cost? Each is started, watched by several readers over server-sent
 * events, asked for an answer by the first of them, and seen to its end, with agents that take no time.
 * Beside it a server that only writes the same number of events to the same number of readers.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, type Lane } from "../measure/interleave.ts";
import { cpuSeconds } from "../measure/process-stat.ts";
import { compare, type Suite } from "../report/finding.ts";
import { launchAtrium } from "../servers/atrium.ts";
import { startChild, type ChildServer } from "../servers/child-server.ts";

const REPETITIONS = 3;
const BUILDS = 100;
const WATCHERS = 5;
/** Of a rehearsed build. */
const EVENTS = 21;
const BARE = "bare events";
const OURS = "builds";
const BARE_SSE = new URL("../peers/bare-sse.ts", import.meta.url);
const EVENT = JSON.stringify({ id: "x".repeat(40), type: "progress", payload: "y".repeat(200) });

interface Sample {
  readonly ms: number;
  /** Microseconds for each event that reached a reader. */
  readonly cpu: number;
  readonly lost: number;
}

export const builds: Suite = {
  name: "builds",
  question: "What do a hundred builds at once cost, with their watchers?",
  async run() {
    await using stack = new AsyncDisposableStack();
    const home = stack.use(await mkdtempDisposable(join(tmpdir(), "atrium-bench-")));
    const atrium = stack.use(await launchAtrium({ log: "sqlite", home: home.path }));
    const bare = stack.use(await startChild(BARE_SSE, [String(EVENTS), EVENT]));
    const agent = new Agent({ maxSockets: Infinity });
    stack.defer(() => agent.destroy());
    const lanes = [
      laneOf(BARE, bare.pid, () => watchAll({ ...bare, agent }, "/")),
      buildsLane(atrium, agent),
    ];
    const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
    const measures = [
      ["ms until all have ended", "ms"],
      ["server CPU µs for each event delivered", "cpu"],
    ] as const;
    const lost = (samples.get(OURS) ?? []).reduce((sum, one) => sum + one.lost, 0);
    return {
      findings: measures.map(([measure, member]) =>
        compare(samples, {
          what: `${BUILDS} builds, ${WATCHERS} watchers each`,
          ours: OURS,
          against: BARE,
          measure,
          value: (one) => one[member],
        }),
      ),
      notes: [
        `builds: ${lost} events lost. Ours includes ${BUILDS * 2} turns of agents and every event in the SQLite log before it is told; the other only writes.`,
      ],
    };
  },
};

type Place = Pick<ChildServer, "port" | "token"> & { readonly agent: Agent };

export function buildsLane(atrium: ChildServer, agent: Agent): Lane<Sample> {
  return laneOf(OURS, atrium.pid, () => buildOne({ ...atrium, agent }));
}

/** `once` resolves with how many events reached its readers. */
function laneOf(name: string, pid: number, once: () => Promise<number>): Lane<Sample> {
  return {
    name,
    async measure() {
      const began = performance.now();
      const before = cpuSeconds(pid);
      const counts = await Promise.all(Array.from({ length: BUILDS }, once));
      const after = cpuSeconds(pid);
      const cpu = after.user + after.system - before.user - before.system;
      const delivered = counts.reduce((sum, count) => sum + count, 0);
      const lost = BUILDS * WATCHERS * EVENTS - delivered;
      return { ms: performance.now() - began, cpu: (cpu * 1e6) / delivered, lost };
    },
  };
}

async function buildOne(place: Place): Promise<number> {
  const { body } = await ask(place, "/api/builds", { prompt: "Build a bench" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed by a server of ours
  const { id } = JSON.parse(body) as { id: string };
  const answers = [{ question_id: "audience", option_id: "me" }];
  return watchAll(place, `/api/builds/${id}/events`, (event) => {
    if (event.includes('"question.requested"')) {
      void ask(place, `/api/builds/${id}/answers`, { answers });
    }
  });
}

async function watchAll(
  place: Place,
  path: string,
  onFirst: (event: string) => void = () => undefined,
): Promise<number> {
  const counts = Array.from({ length: WATCHERS }, (_, at) =>
    ask(place, path, undefined, at === 0 ? onFirst : undefined),
  );
  return (await Promise.all(counts)).reduce((sum, { events }) => sum + events, 0);
}

interface Answer {
  readonly body: string;
  readonly events: number;
}

function ask(
  { port, token, agent }: Place,
  path: string,
  sent?: unknown,
  onEvent: (event: string) => void = () => undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = sent === undefined ? "GET" : "POST";
    const headers = { authorization: `Bearer ${token}` };
    const asking = request({ port, path, method, headers, agent }, (response) => {
      let body = "";
      let rest = "";
      let events = 0;
      response.setEncoding("utf8").on("data", (text: string) => {
        if (sent !== undefined) body += text;
        const blocks = `${rest}${text}`.split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          if (!block.startsWith("id: ")) continue;
          events++;
          onEvent(block);
        }
      });
      response.on("end", () => resolve({ body, events }));
    });
    asking.on("error", reject).end(sent === undefined ? undefined : JSON.stringify(sent));
  });
}
