/** All that is in the scene, and what a moment changes of it. */
import { Matrix4, type Scene, type WebGLRenderer } from "three";
import { paintBackdrop } from "./light/backdrop.ts";
import { createLights } from "./light/lights.ts";
import type { Mood } from "./light/mood.ts";
import { createSky } from "./light/sky.ts";
import { createPostureMemory, type PostureMemory } from "./people/changing-posture.ts";
import { createCrowd, type CrowdMember } from "./people/crowd.ts";
import type { Figure } from "./people/figures.ts";
import { jointsOf } from "./people/joints.ts";
import { createFinishes } from "./room/finishes.ts";
import { AMBER } from "./room/palette.ts";
import { createRoom } from "./room/room.ts";
import { seeded } from "./room/seeded.ts";
import type { OfficeState, ScreenText } from "./state/office-state.ts";
import { deskOf, type SceneManifest } from "./state/scene-manifest.ts";
import { ARTIFACT_COLORS, createKeepsakes, type Keepsake } from "./things/keepsakes.ts";
import { createMonitors, type ScreenContent } from "./things/monitors.ts";
import { deliveriesOf, trophiesOf, type ShelfItem } from "./things/shelves.ts";
import { createTaskBoard } from "./things/task-board.ts";
import { createWallClock } from "./things/wall-clock.ts";
import { disposeOf } from "./view/dispose-of.ts";
import { agentPickables, poiPickables, standingPickables } from "./view/pickables.ts";
import type { Pickable } from "./view/picking.ts";

export interface PictureMoment {
  readonly time: number;
  /** Hands keep still, and postures change at once. */
  readonly isMotionReduced: boolean;
}

export interface Picture {
  show(figures: readonly Figure[], state: OfficeState, moment: PictureMoment): void;
  /** Whether someone is seen between two postures. */
  isChanging(time: number): boolean;
  /** The clock was moved: what was shown before has nothing to do with what is shown next. */
  forget(): void;
  setMood(mood: Mood, isNight: boolean): void;
  setShadows(resolution: number): void;
  pickables(): readonly Pickable[];
  dispose(): void;
}

const GHOST_PRESENCE = 0.42;

export function createPicture(
  manifest: SceneManifest,
  scene: Scene,
  renderer: WebGLRenderer,
): Picture {
  const finishes = createFinishes();
  const room = createRoom(manifest, finishes);
  const sky = createSky(manifest);
  const lights = createLights(manifest, finishes, renderer);
  const crowd = createCrowd();
  const monitors = createMonitors(manifest);
  const board = createTaskBoard(manifest);
  const keepsakes = createKeepsakes();
  const clock = createWallClock(manifest);
  scene.add(
    room,
    sky.panes,
    lights.group,
    crowd.group,
    monitors.mesh,
    keepsakes.group,
    clock.group,
  );
  if (board.mesh !== undefined) scene.add(board.mesh);
  const postures = createPostureMemory();
  const places = poiPickables(manifest);
  let figuresShown: readonly Figure[] = [];
  let standing: readonly Pickable[] = [];

  return {
    show(figures, state, moment) {
      figuresShown = figures;
      postures.keepOnly(new Set(figures.map(({ agent }) => agent.agent_id)));
      crowd.show(figures.map((figure) => personOf(figure, postures, moment)));
      monitors.show(screensOf(figures, state, manifest));
      board.show(state.tasks);
      clock.show(moment.time);
      const trophies = trophiesOf(manifest, state.office_decor);
      const deliveries = deliveriesOf(manifest, state.artifacts);
      const askers = figures.filter(({ isAsking }) => isAsking);
      keepsakes.show("trophy", trophies);
      keepsakes.show("artifact", [
        ...deliveries,
        ...figures.flatMap((figure) => carriedBy(figure, state)),
      ]);
      keepsakes.show(
        "ring",
        askers
          .filter(({ poi }) => poi === undefined)
          .map((figure) => ({ color: AMBER, matrix: rootOf(figure) })),
      );
      keepsakes.show(
        "mark",
        askers.map((figure) => ({ color: AMBER, matrix: raisedBy(rootOf(figure), MARK_HEIGHT) })),
      );
      standing = standingsOf(trophies, deliveries);
    },
    isChanging: (time) => postures.isChanging(time),
    forget: () => postures.forget(),
    setMood(mood, isNight) {
      lights.set(mood, scene);
      sky.turn(isNight);
      paintBackdrop(scene, mood);
      monitors.setBrightness(mood.screens);
      keepsakes.setGlow(isNight ? 1.1 : 0.4);
    },
    setShadows: (resolution) => lights.setShadows(resolution),
    pickables: () => [...agentPickables(figuresShown), ...standing, ...places],
    dispose() {
      crowd.dispose();
      disposeOf(scene);
    },
  };
}

const MARK_HEIGHT = 1.62;

function standingsOf(
  trophies: readonly ShelfItem[],
  deliveries: readonly ShelfItem[],
): readonly Pickable[] {
  return [...standingPickables("trophy", trophies), ...standingPickables("artifact", deliveries)];
}

function rootOf({ whereabouts: { pos, heading } }: Figure): Matrix4 {
  return new Matrix4().makeRotationY(heading).setPosition(pos[0], 0, pos[2]);
}

function raisedBy(root: Matrix4, height: number): Matrix4 {
  return new Matrix4().makeTranslation(0, height, 0).multiply(root);
}

function personOf(figure: Figure, postures: PostureMemory, moment: PictureMoment): CrowdMember {
  const { agent, posture, whereabouts, isGhost } = figure;
  const { time, isMotionReduced } = moment;
  // Everyone begins elsewhere in the beat, or the whole room would type in step.
  const beat = (isMotionReduced ? 0 : time / 1000) + seeded(agent.agent_id)() * 60;
  const wanted = jointsOf(posture, beat, whereabouts.walked);
  return {
    agentId: agent.agent_id,
    look: agent.look,
    joints: isMotionReduced ? wanted : postures.joints(agent.agent_id, posture, wanted, time),
    root: rootOf(figure),
    presence: isGhost ? GHOST_PRESENCE : 1,
  };
}

function carriedBy(figure: Figure, { artifacts }: OfficeState): Keepsake[] {
  if (figure.posture !== "walk-carrying" && figure.posture !== "carry") return [];
  const { goal } = figure.agent;
  const artifact = artifacts.find(({ artifact_id }) => artifact_id === goal?.artifact_id);
  const held = new Matrix4().makeRotationX(0.35).setPosition(0, 0.78, 0.3);
  const color = ARTIFACT_COLORS[artifact?.status ?? "created"];
  return [{ color, matrix: rootOf(figure).multiply(held) }];
}

function screensOf(
  figures: readonly Figure[],
  { streams, tasks }: OfficeState,
  manifest: SceneManifest,
): ReadonlyMap<string, ScreenContent> {
  const screens = new Map<string, ScreenContent>();
  for (const { agent, poi, posture } of figures) {
    const desk = deskOf(poi, manifest);
    const screen = streams.get(agent.agent_id) ?? titleOf(agent, tasks);
    if (desk === undefined || screen === undefined) continue;
    const isDimmed = posture === "lean-back" || posture === "slump";
    screens.set(desk.object_id, { ...screen, isDimmed });
  }
  return screens;
}

/** Before anything is written, what it is about. */
function titleOf(
  { task_id: taskId }: Figure["agent"],
  tasks: OfficeState["tasks"],
): ScreenText | undefined {
  const task = tasks.find(({ task_id }) => task_id === taskId);
  return task && { kind: "words", title: "", text: task.title };
}
