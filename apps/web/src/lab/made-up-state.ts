/** Offices that never were: as many agents as one likes, in every state, for looking at and measuring the engine. */
import type { WorldAgent, WorldTask } from "@atrium/wire/world";
import type { AgentGoal, OfficeState, ScreenText } from "../office/state/office-state.ts";
import type { Point, SceneManifest, ScenePoi } from "../office/state/scene-manifest.ts";

interface Circumstances {
  readonly seat?: number;
  readonly isPaused?: boolean;
  readonly isUnheard?: boolean;
  readonly asks?: boolean;
}

export interface Cast extends Circumstances {
  readonly agentId: string;
  readonly name: string;
  readonly does: string;
  readonly state: WorldAgent["state"];
  readonly place: string;
}

type CastRow = readonly [string, string, string, WorldAgent["state"], string, Circumstances?];

/** The twelve that show every state at a glance. */
const CAST_ROWS: readonly CastRow[] = [
  ["agent_bd", "BD", "3 new requests", "WorkingAtPOI", "poi_bd_desk"],
  ["agent_eng_1", "Eng 1", "editing api.ts", "WorkingAtPOI", "poi_desk_1"],
  ["agent_research_1", "Research", "reading 4 sources", "WorkingAtPOI", "poi_desk_3"],
  ["agent_writer_1", "Writer", "drafting copy v2", "WorkingAtPOI", "poi_desk_4"],
  ["agent_design_1", "Design", "to review shelf", "DeliveringArtifact", "walk"],
  [
    "agent_eng_2",
    "Eng 2",
    "needs a decision",
    "SeekingUserDecision",
    "poi_lounge",
    { seat: 5, asks: true },
  ],
  ["agent_ops_1", "Ops", "paused", "BlockedWaiting", "poi_desk_8", { isPaused: true }],
  ["agent_qa_1", "QA", "waits for tests", "BlockedWaiting", "poi_desk_5"],
  ["agent_pm_1", "Planner", "kickoff", "InMeeting", "poi_meeting_table", { seat: 0 }],
  ["agent_data_1", "Data", "kickoff", "InMeeting", "poi_meeting_table", { seat: 6 }],
  ["agent_sales_1", "Sales", "kickoff", "InMeeting", "poi_meeting_table", { seat: 2 }],
  [
    "agent_guest_1",
    "Visitor",
    "last heard 4 min ago",
    "WorkingAtPOI",
    "poi_entrance",
    { seat: 2, isUnheard: true },
  ],
];

export const CAST: readonly Cast[] = CAST_ROWS.map(([agentId, name, does, state, place, more]) => {
  return { agentId, name, does, state, place, ...more };
});

const CODE = `// api.ts
export async function open(room: Room) {
  const socket = await listen(room.port);
  for (const peer of room.peers) {
    socket.send({ type: "hello", peer });
  }
  return accept(socket, 18789);
}
test("[API-4] says no", async () => {
  const answer = await call("nope");
  assert.equal(answer.code, "unknown");
});`;

const PROSE = `## What we found
- "Quiet hours" are asked for by 41 of 60
- Most open the page on a phone
> they want one inbox, not five
Next: compare 3 sources, then write
the summary for the board.`;

const TESTS = `✔ a tide is told for every hour (4 ms)
✔ the harbor has a name (1 ms)
✖ no boat leaves at low tide
AssertionError: 2 !== 3
ℹ tests 3
ℹ pass 2
ℹ fail 1
`;
const FIRST: ScreenText = { kind: "words", title: "", text: PROSE };
const SCREENS: readonly ScreenText[] = [
  FIRST,
  { kind: "words", title: "", text: CODE },
  { kind: "command", title: "npm test", text: TESTS },
];

export function madeUpState(scene: SceneManifest, count: number, time: number): OfficeState {
  const cast = Array.from({ length: count }, (_, at) => CAST[at] ?? extra(at, scene));
  const goals = new Map<string, AgentGoal>();
  const agents = cast.map((one) => agentOf(one, scene, time, goals));
  return {
    snapshotAt: time,
    agents,
    goals,
    walks: new Map(),
    tasks: madeUpTasks(),
    artifacts: Array.from({ length: 9 }, (_, at) => ({
      artifact_id: `art_a${at}`,
      project_id: "proj_lab",
      task_id: "task_a",
      type: "doc",
      name: `Report ${at}`,
      version: 1,
      status: (["delivered", "approved", "changes_requested"] as const)[at % 3] ?? "delivered",
      media_type: "text/markdown",
      bytes: 1000,
    })),
    decisions: cast
      .filter(({ asks }) => asks === true)
      .map(({ agentId }) => ({
        decision_id: "dec_lab",
        project_id: "proj_lab",
        status: "open",
        kind: "question",
        prompt: "Which audience?",
        options: ["Tech users", "General consumers"],
        agent_id: agentId,
        asked_at: time,
      })),
    office_decor: [1, 2, 3, 4, 6].map((at) => ({
      decor_id: `decor_${at}`,
      anchor_id: `trophy_shelf_0${at}`,
      unlocked_by_project_id: "proj_lab",
    })),
    streams: new Map(
      cast.map(({ agentId }, at) => [agentId, SCREENS[at % SCREENS.length] ?? FIRST]),
    ),
  };
}

function agentOf(
  one: Cast,
  scene: SceneManifest,
  time: number,
  goals: Map<string, AgentGoal>,
): WorldAgent {
  const poi = scene.pois.find(({ poi_id }) => poi_id === one.place);
  const seat = poi?.seats[one.seat ?? 0];
  const pos = seat?.pos ?? [0.2, 0, 0.9];
  const facing: Point = one.asks === true ? [0.6, 0, 0.8] : (seat?.facing ?? [1, 0, 0]);
  if (one.place === "walk") goals.set(one.agentId, walkOf(one.agentId, time));
  return {
    agent_id: one.agentId,
    name: one.name,
    role: "engineer",
    pos: [...pos],
    facing: [...facing],
    state: one.state,
    is_paused: one.isPaused === true,
    heard_at: one.isUnheard === true ? time - 240_000 : time,
    ...(one.place === "walk" && {
      goal: { kind: "deliver_artifact", artifact_id: "art_a1", poi_id: "poi_delivery_shelf" },
    }),
  };
}

function walkOf(agentId: string, time: number): AgentGoal {
  const path: Point[] = [
    [-1.2, 0, 0.6],
    [1, 0, 0.6],
    [4.4, 0, 0.7],
    [5.125, 0, 1.125],
  ];
  return {
    seq: 1,
    agent_id: agentId,
    goal: { kind: "deliver_artifact", artifact_id: "art_a1", poi_id: "poi_delivery_shelf" },
    path: path.map((point) => [...point]),
    speed_mps: 1.2,
    arrival_radius: 0.15,
    started_at: time - 1200,
  };
}

/** Beyond the cast: the other seats first, then standing in rows. */
function extra(at: number, scene: SceneManifest): Cast {
  const index = at - CAST.length;
  const spots = scene.pois
    .flatMap((poi) => poi.seats.map((_, seat) => ({ poi, seat })))
    .filter(({ poi, seat }) => !isTaken(poi, seat));
  const spot = spots[index % Math.max(1, spots.length)];
  return {
    agentId: `agent_extra_${at}`,
    name: `Agent ${at}`,
    does: "working",
    state: "WorkingAtPOI",
    place: spot?.poi.poi_id ?? "poi_lounge",
    seat: spot?.seat ?? 0,
  };
}

function isTaken({ poi_id }: ScenePoi, seat: number): boolean {
  return CAST.some(({ place, seat: taken = 0 }) => place === poi_id && taken === seat);
}

const TASKS: readonly (readonly [title: string, status: WorldTask["status"]])[] = [
  ["Sketch the flow", "planned"],
  ["Write the API", "in_progress"],
  ["Compare sources", "in_progress"],
  ["Draft copy v2", "in_review"],
  ["Name the launch", "done"],
  ["Check the numbers", "done"],
  ["Set up alerts", "assigned"],
  ["Review tone", "blocked"],
  ["Plan kickoff", "done"],
  ["Fix the timer", "planned"],
];

function madeUpTasks(): WorldTask[] {
  return TASKS.map(([title, status], at) => ({
    task_id: `task_t${at}`,
    project_id: "proj_lab",
    title,
    status,
    attempts: 0,
    tokens: 0,
  }));
}
