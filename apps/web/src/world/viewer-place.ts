/**
 * Tells the server where this viewer stands: beside whatever they look at, so that agents who need someone come to them.
 * Told on entering and when it changed by more than a step, every other second at most.
 */
import type { Snapshot, WorldStatus } from "@atrium/client";
import type { SentCommand } from "./world.ts";

type Point = Snapshot["player"]["pos"];

export interface ViewerPlaceDeps {
  readonly world: () => { readonly status: WorldStatus; readonly snapshot: Snapshot | null };
  readonly act: (command: SentCommand) => Promise<unknown>;
  /** What is open beside the office, as it stands in the address: `agent:agent_bd`. */
  readonly shown: () => string | undefined;
  readonly later: (run: () => void, delayMs: number) => void;
}

const STEP_METERS = 1;
const PAUSE_MS = 2_000;

/** Call it whenever the world or what is shown has changed; it does nothing when nothing is to be told. */
export function createViewerPlace({ world, act, shown, later }: ViewerPlaceDeps): () => void {
  let lastPlace: Point | undefined;
  let home: Point | undefined;
  let isPausing = false;

  return function update(): void {
    const { status, snapshot } = world();
    // Another connection is another viewer, of whom nothing is known yet.
    if (status.state !== "connected") lastPlace = undefined;
    if (status.state !== "connected" || snapshot === null || isPausing) return;
    home ??= snapshot.player.pos;
    const place = placeOf(shown(), snapshot) ?? home;
    if (lastPlace !== undefined && distance(lastPlace, place) < STEP_METERS) return;
    lastPlace = place;
    isPausing = true;
    later(() => {
      isPausing = false;
      update();
    }, PAUSE_MS);
    void act({ name: "player_pos", data: { pos: place } });
  };
}

/** Of whom it is about; undefined when it is about nobody in particular. */
function placeOf(shown: string | undefined, snapshot: Snapshot): Point | undefined {
  const [kind, id] = (shown ?? "").split(":", 2);
  const agentId = agentIn(kind, id, snapshot);
  return snapshot.agents.find(({ agent_id }) => agent_id === agentId)?.pos;
}

function agentIn(
  kind: string | undefined,
  id: string | undefined,
  { tasks, decisions, artifacts }: Snapshot,
): string | undefined {
  const assigneeOf = (taskId: string | undefined): string | undefined =>
    tasks.find(({ task_id }) => task_id === taskId)?.assignee;
  switch (kind) {
    case "agent":
      return id;
    case "task":
      return assigneeOf(id);
    case "decision":
      return decisions.find(({ decision_id }) => decision_id === id)?.agent_id;
    case "artifact":
      return assigneeOf(artifacts.find(({ artifact_id }) => artifact_id === id)?.task_id);
    case undefined:
    default:
      return undefined;
  }
}

function distance([x, , z]: Point, [otherX, , otherZ]: Point): number {
  return Math.hypot(x - otherX, z - otherZ);
}
