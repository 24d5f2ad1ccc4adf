/**
 * Everyone as they are seen at a time: where, in which posture, at which seat, needing a person or not.
 *
 * The one place where state and time become something to draw; the 3D office, the floor plan and the labels all read it.
 */
import type { WorldAgent } from "@atrium/wire/world";
import type { OfficeState, Walk } from "../state/office-state.ts";
import type { SceneManifest, ScenePoi, SceneSeat } from "../state/scene-manifest.ts";
import { corrected, type Correction } from "./correction.ts";
import { isAskingNow, isGhost, LIVELY_POSTURES, postureOf, type Posture } from "./pose.ts";
import { headingOf, whereabouts, type Whereabouts } from "./walk.ts";

export interface Figure {
  readonly agent: WorldAgent;
  readonly whereabouts: Whereabouts;
  readonly posture: Posture;
  /** Where it sits; undefined when it does not. */
  readonly poi: ScenePoi | undefined;
  readonly isAsking: boolean;
  readonly isGhost: boolean;
  /** Whether it looks different a moment later. */
  readonly isMoving: boolean;
}

/** Nearer than this to a seat, one sits on it. */
const SEAT_REACH = 0.3;

export type Corrections = ReadonlyMap<string, Correction>;
const NONE: Corrections = new Map();

export function figuresAt(
  scene: SceneManifest,
  state: OfficeState,
  time: number,
  corrections = NONE,
): readonly Figure[] {
  const askers = askersIn(state);
  return state.agents.map((agent) => {
    const walk = walkAt(state, agent.agent_id, time);
    const truth = whereabouts(agent, walk, state.snapshotAt, time);
    const shown = corrected(truth, corrections.get(agent.agent_id), time);
    const seated = shown.isWalking ? undefined : seatNear(scene, shown);
    const { status } = agent;
    const isAsking = isAskingNow(agent, askers.has(agent.agent_id), time);
    const isUnheard = isGhost(agent, time);
    const posture = postureOf({
      // What it was last heard doing may be long over, so it is not shown doing it.
      state: isUnheard ? "IdleAtHome" : agent.state,
      isWalking: shown.isWalking,
      isSeated: seated !== undefined,
      isPaused: agent.is_paused === true,
      isAsking,
      status,
    });
    return {
      agent,
      whereabouts: seated === undefined ? shown : onSeat(shown, seated.seat),
      posture,
      poi: seated?.poi,
      isAsking,
      isGhost: isUnheard,
      isMoving: LIVELY_POSTURES.has(posture) || shown !== truth,
    };
  });
}

/** Whose questions the office itself holds open. */
export function askersIn({
  decisions,
}: Pick<OfficeState, "decisions">): ReadonlySet<string | undefined> {
  return new Set(decisions.filter(({ status }) => status === "open").map((one) => one.agent_id));
}

function walkAt({ walks, goals }: OfficeState, agentId: string, time: number): Walk | undefined {
  const known = walks.get(agentId);
  return known?.findLast(({ started_at }) => started_at <= time) ?? goals.get(agentId);
}

interface Seated {
  readonly seat: SceneSeat;
  readonly poi: ScenePoi;
}

function seatNear({ pois }: SceneManifest, { pos }: Whereabouts): Seated | undefined {
  let nearest: Seated | undefined;
  let reach = SEAT_REACH;
  for (const poi of pois) {
    for (const seat of poi.seats) {
      if (seat.pose !== "sit") continue;
      const far = Math.hypot(seat.pos[0] - pos[0], seat.pos[2] - pos[2]);
      if (far >= reach) continue;
      nearest = { seat, poi };
      reach = far;
    }
  }
  return nearest;
}

function onSeat(shown: Whereabouts, { pos, facing }: SceneSeat): Whereabouts {
  return { ...shown, pos, heading: headingOf(facing) };
}
