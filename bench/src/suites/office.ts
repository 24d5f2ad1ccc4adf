/**
 * What does an office cost in which 500 agents walk: knowing where everyone is, beside merely writing that
 * down; and sending someone somewhere, beside merely noting that in the log?
 */
import {
  cozyOffice,
  createDispatch,
  createFloor,
  createOffice,
  createOfficeView,
} from "@atrium/core";
import { openMemoryLog } from "@atrium/log";
import { interleave, type Lane } from "../measure/interleave.ts";
import { compare, type Suite } from "../report/finding.ts";

const AGENTS = 500;
const REPETITIONS = 5;
const LOOKS = 200;
const STEP_MS = 20;
const SCENE = cozyOffice.scene_id;
const PLACES = ["poi_coffee", "poi_task_board", "poi_meeting_table", "poi_lounge", "poi_entrance"];

export const office: Suite = {
  name: "office",
  question: "What does an office cost in which 500 agents walk?",
  async run() {
    await using log = openMemoryLog();
    const floor = createFloor(cozyOffice);
    const room = createOffice([floor]);
    const view = createOfficeView(floor);
    let now = Date.now();
    const dispatch = createDispatch({ log, clock: { now: () => now }, settled: () => undefined });
    await dispatch(room, SCENE, { type: "create", sceneId: SCENE, at: now });
    for (let n = 0; n < AGENTS; n++) {
      await dispatch(room, SCENE, { type: "join", agentId: nameOf(n), homePoiId: null, at: now });
    }
    let round = 0;
    const sendAll = async (): Promise<void> => {
      const poiId = PLACES[++round % PLACES.length] ?? "";
      for (let n = 0; n < AGENTS; n++) {
        const goal = { kind: "go_to_poi", poiId } as const;
        const sent = { agentId: nameOf(n), goal, at: now, because: "bench" };
        await dispatch(room, SCENE, { type: "set-goal", ...sent });
      }
    };
    let folded = 0;
    const fold = async (): Promise<void> => {
      for await (const entry of log.read({ after: folded })) {
        view.apply(entry);
        folded = entry.seq;
      }
    };
    const look = (): string => {
      now += STEP_MS;
      return JSON.stringify(view.positionsAt(now));
    };
    await sendAll();
    await fold();
    const written = view.positionsAt(now);
    const lanes = [
      laneOf("look at 500 walking", LOOKS, () => void look()),
      laneOf("write 500 positions down", LOOKS, () => void JSON.stringify(written)),
      laneOf("send someone", AGENTS, sendAll, fold),
      laneOf("note it in a log", AGENTS, async () => {
        for (let n = 0; n < AGENTS; n++) {
          const draft = { type: "noted", at: now, data: { agentId: nameOf(n), because: "bench" } };
          await log.append("bench/notes", "any", [draft]);
        }
      }),
    ];
    const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
    const finding = (ours: string, against: string) =>
      compare(samples, { what: ours, measure: "µs CPU", ours, against, value: Number });
    return {
      findings: [
        finding("look at 500 walking", "write 500 positions down"),
        finding("send someone", "note it in a log"),
      ],
      notes: ["in memory; one look is what a snapshot costs before it is shared by everyone"],
    };
  },
};

function nameOf(number: number): string {
  return `agent_visitor_${number}`;
}

/** CPU time for one of so many. `after` is not measured. */
function laneOf(
  name: string,
  count: number,
  work: () => void | Promise<void>,
  after?: () => Promise<void>,
): Lane<number> {
  return {
    name,
    async measure() {
      const before = process.cpuUsage();
      const isWhole = count === AGENTS;
      for (let n = 0; n < (isWhole ? 1 : count); n++) await work();
      const { user, system } = process.cpuUsage(before);
      await after?.();
      return (user + system) / count;
    },
  };
}
