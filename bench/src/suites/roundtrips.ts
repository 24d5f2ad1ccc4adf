/**
 * What do the gateway's checks, limits and fair turns cost a round trip, beside a bare `ws` server that
 * only parses and stringifies?
 *
 * `health` has two references, because neither alone is fair: one answers with the small request it
 * got, one stringifies a payload as large as ours every time (we keep ours as text).
 */
import { closedLoop } from "../load/closed-loop.ts";
import { interleave, type Lane, type Samples } from "../measure/interleave.ts";
import { meter, type Metered } from "../measure/meter.ts";
import { compare, type Finding, type Suite } from "../report/finding.ts";
import { generatorNotes } from "../report/generator-notes.ts";
import { startAtrium } from "../servers/atrium.ts";
import { startBareWs } from "../servers/bare-ws.ts";
import { isAcceptedFrame, requestText } from "../servers/gateway-frames.ts";
import { joinMany, type Target } from "../servers/target.ts";

const REPETITIONS = 5;
const FOR_MS = 400;

interface Load {
  readonly name: string;
  readonly connections: number;
  readonly depth: number;
}

export const LOADS: readonly Load[] = [
  { name: "1 connection, one by one", connections: 1, depth: 1 },
  { name: "1 connection, 64 at once", connections: 1, depth: 64 },
  { name: "100 connections", connections: 100, depth: 1 },
];

type Request = (id: string) => string;
export const askHealth: Request = (id) => requestText(id, "health");
export const askEcho: Request = (id) =>
  requestText(id, "system.echo", { text: "hello there, everyone" });

export const roundtrips: Suite = {
  name: "roundtrips",
  question: "What does a checked round trip cost beside a bare one?",
  async run() {
    await using stack = new AsyncDisposableStack();
    const atrium = stack.use(await startAtrium("memory"));
    const echo = stack.use(await startBareWs());
    const payload = await atrium.ask("health");
    const sized = stack.use(await startBareWs(payload));
    const findings: Finding[] = [];
    const notes = [`health payload: ${JSON.stringify(payload).length} bytes`];
    for (const load of LOADS) {
      const lanes = [
        await roundtripLane("health", atrium, askHealth, load),
        await roundtripLane("bare echo", echo, askHealth, load),
        await roundtripLane("bare, same payload", sized, askHealth, load),
        await roundtripLane("system.echo", atrium, askEcho, load),
        await roundtripLane("bare echo of text", echo, askEcho, load),
      ];
      const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
      findings.push(...findingsOf(load, samples));
      notes.push(...generatorNotes(load.name, samples));
    }
    return { findings, notes };
  },
};

export async function roundtripLane(
  name: string,
  target: Target,
  request: Request,
  { connections, depth }: Load,
): Promise<Lane<Metered>> {
  const sockets = await joinMany(target, connections);
  const options = { request, isAnswer: isAcceptedFrame, depth, forMs: FOR_MS };
  return { name, measure: () => meter(target.pid, () => closedLoop(sockets, options)) };
}

function findingsOf(load: Load, samples: Samples<Metered>): Finding[] {
  const pairs = [
    { ours: "health", against: "bare echo", goal: "≥ 0.6" },
    { ours: "health", against: "bare, same payload", goal: "" },
    { ours: "system.echo", against: "bare echo of text", goal: "" },
  ];
  return pairs.flatMap(({ goal, ...pair }) => {
    const what = `${pair.ours}, ${load.name}`;
    const speed = {
      what,
      measure: "round trips/s",
      value: (sample: Metered) => sample.perSecond,
      goal,
    };
    const cost = {
      what,
      measure: "server CPU µs",
      value: (sample: Metered) => sample.serverMicros,
    };
    return [compare(samples, { ...pair, ...speed }), compare(samples, { ...pair, ...cost })];
  });
}
