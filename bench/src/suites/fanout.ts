/**
 * What does it cost to tell 1,000 peers, one event at a time and in a busy room?
 *
 * Ours is the whole way: a request is checked, decided, logged, projected, and only then told. The
 * others send what they are handed. W is how many events are on the way at any time.
 */
import { fanOut } from "../load/crowd.ts";
import { interleave, type Lane, type Samples } from "../measure/interleave.ts";
import { meter, type Metered } from "../measure/meter.ts";
import { spreadOf } from "../measure/spread.ts";
import { compare, type Finding, type Suite } from "../report/finding.ts";
import { generatorNotes } from "../report/generator-notes.ts";
import { startAtrium } from "../servers/atrium.ts";
import { startBareWs } from "../servers/bare-ws.ts";
import { startSocketIo } from "../servers/socket-io.ts";
import { joinMany, type Target } from "../servers/target.ts";

const LISTENERS = 1_000;
const REPETITIONS = 3;
const FOR_MS = 800;

/** Goals for processor time per message. */
const ROOMS = [
  { window: 1, bareGoal: "≤ 0.6", socketIoGoal: "≤ 0.35" },
  { window: 16, bareGoal: "", socketIoGoal: "≤ 0.08" },
] as const;

interface Told extends Metered {
  readonly eventBytes: number;
}

export const fanout: Suite = {
  name: "fanout",
  question: "What does it cost to tell 1,000 peers?",
  async run() {
    await using stack = new AsyncDisposableStack();
    const memory = stack.use(await startAtrium("memory"));
    const sqlite = stack.use(await startAtrium("sqlite"));
    const bare = stack.use(await startBareWs());
    const socketIo = stack.use(await startSocketIo());
    const crowds: ((window: number) => Lane<Told>)[] = [];
    for (const target of [memory, sqlite, bare, socketIo]) crowds.push(await gather(target));
    const findings: Finding[] = [];
    const notes: string[] = [];
    for (const { window, bareGoal, socketIoGoal } of ROOMS) {
      const lanes = crowds.map((laneWith) => laneWith(window));
      const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
      for (const { name: ours } of [memory, sqlite]) {
        const what = `${ours}, W=${window}`;
        findings.push(
          ...findingsOf(samples, { what, ours, against: bare.name }, bareGoal),
          ...findingsOf(samples, { what, ours, against: socketIo.name }, socketIoGoal),
        );
      }
      notes.push(...generatorNotes(`W=${window}`, samples));
      notes.push(
        describe(`W=${window}: bytes delivered per event`, samples, (told) => told.eventBytes),
        describe(
          `W=${window}: CPU µs/message outside the kernel`,
          samples,
          (told) => told.ownMicros,
        ),
      );
    }
    return { findings, notes };
  },
};

export async function gather(target: Target): Promise<(window: number) => Lane<Told>> {
  const publisher = await target.join();
  const listeners = await joinMany(target, LISTENERS);
  const { name, publication, isEvent } = target;
  const crowd = { publisher, listeners, publication, isEvent };
  return (window) => ({
    name,
    async measure() {
      let eventBytes = 0;
      const metered = await meter(target.pid, async () => {
        const delivered = await fanOut(crowd, { window, forMs: FOR_MS });
        ({ eventBytes } = delivered);
        return delivered.deliveries;
      });
      return { ...metered, eventBytes };
    },
  });
}

function findingsOf(
  samples: Samples<Told>,
  pair: { readonly what: string; readonly ours: string; readonly against: string },
  goal: string,
): Finding[] {
  const cost = { measure: "server CPU µs/message", value: (told: Told) => told.serverMicros, goal };
  const speed = { measure: "messages/s", value: (told: Told) => told.perSecond };
  return [compare(samples, { ...pair, ...cost }), compare(samples, { ...pair, ...speed })];
}

/** The median of every lane; what the kernel needs to send is the same for all of them. */
function describe(what: string, samples: Samples<Told>, value: (told: Told) => number): string {
  const each = [...samples].map(([name, taken]) => {
    const { median } = spreadOf(taken.map(value));
    return `${name} ${median.toPrecision(3)}`;
  });
  return `${what}: ${each.join("; ")}`;
}
