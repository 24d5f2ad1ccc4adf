/**
 * The office as a picture: world state and a clock in, frames out.
 *
 *   show(state) --> figuresAt(scene, state, clock()) --> crowd, screens, board, shelves, labels --> one frame
 *
 * It knows nothing of sockets, stores or React. What is drawn is a function of the state and the time; the only memory
 * is of the last half second, so that people glide and change their posture instead of jumping.
 */
import { Scene } from "three";
import { createLabels, type LabelFactory } from "./labels/labels.ts";
import { createPlanCard } from "./labels/plan-card.ts";
import { DAY, NIGHT } from "./light/mood.ts";
import type { FloorMarks, Spot } from "./marks/floor-marks.ts";
import { createMarksOnFloor } from "./marks/marks-on-floor.ts";
import { createPingLabels } from "./marks/ping-labels.ts";
import { correctionFrom, isSettled, type Correction } from "./people/correction.ts";
import { figuresAt, type Figure } from "./people/figures.ts";
import { createPicture, type Picture } from "./picture.ts";
import { EMPTY_STATE, type OfficeState, type Walk } from "./state/office-state.ts";
import { openPlan } from "./state/open-plan.ts";
import type { Point, SceneManifest } from "./state/scene-manifest.ts";
import { createCamera, type OfficeCamera } from "./view/camera.ts";
import { freePart } from "./view/free-part.ts";
import type { Picked } from "./view/picking.ts";
import { createPointer, type Pointer } from "./view/pointer.ts";
import type { Tier } from "./view/quality.ts";
import type { PictureSize, Rectangle } from "./view/rectangle.ts";
import { startRenderLoop, type Frames, type Motion, type RenderLoop } from "./view/render-loop.ts";
import { Rendering } from "./view/rendering.ts";

export interface EngineOptions {
  readonly canvas: HTMLCanvasElement;
  readonly scene: SceneManifest;
  /** The time that is shown, in milliseconds since 1970: now, or a moment of the past. */
  readonly clock: () => number;
  readonly frames: Frames;
  /** Over the canvas and as large; where labels go. */
  readonly labelLayer: HTMLElement;
  readonly createLabel: LabelFactory;
  readonly tier: Tier;
  /** The tier is a guess and follows how long frames take; otherwise someone chose it. */
  readonly isTierAdapting?: boolean;
  readonly pixelRatio: number;
  readonly isNight?: boolean;
  readonly isMotionReduced?: boolean;
  readonly onPick?: (picked: Picked | undefined) => void;
}

export interface EngineStats {
  readonly drawCalls: number;
  readonly triangles: number;
  /** How many frames were drawn so far. */
  readonly frames: number;
  readonly pixelRatio: number;
  /** What the last frame left moving; while it is "still", none follows. */
  readonly motion: Motion;
}

const MINUTE_MS = 60_000;

export class OfficeEngine {
  readonly #options: EngineOptions;
  readonly #rendering: Rendering;
  readonly #scene = new Scene();
  readonly #picture: Picture;
  readonly #camera: OfficeCamera;
  readonly #pointer: Pointer;
  readonly #labels: ReturnType<typeof createLabels>;
  readonly #pingLabels: ReturnType<typeof createPingLabels>;
  readonly #planCard: ReturnType<typeof createPlanCard>;
  readonly #marks = createMarksOnFloor();
  readonly #loop: RenderLoop;
  readonly #corrections = new Map<string, Correction>();
  readonly #closing = new AbortController();
  #state: OfficeState = EMPTY_STATE;
  #figures: readonly Figure[] = [];
  #drawn = "";
  #drawnAt: number | undefined;
  #followed: string | undefined;
  #covers: readonly Rectangle[] = [];
  #frames = 0;
  #isMotionReduced: boolean;
  #motion: Motion = "lively";

  constructor(options: EngineOptions) {
    const { canvas, scene, tier, pixelRatio, isTierAdapting = false } = options;
    this.#options = options;
    this.#isMotionReduced = options.isMotionReduced ?? false;
    this.#rendering = new Rendering({ canvas, tier, isTierAdapting, pixelRatio });
    this.#picture = createPicture(scene, this.#scene, this.#rendering.renderer);
    this.#scene.add(this.#marks.group);
    this.#camera = createCamera(scene, canvas, () => this.#wake());
    this.#camera.setReducedMotion(this.#isMotionReduced);
    this.#labels = createLabels(options.labelLayer, options.createLabel);
    this.#pingLabels = createPingLabels(options.labelLayer);
    this.#planCard = createPlanCard(options.labelLayer);
    this.#pointer = createPointer(
      canvas,
      this.#camera.camera,
      () => this.#picture.pickables(),
      (picked) => options.onPick?.(picked),
    );
    this.#rendering.begin({
      scene: this.#scene,
      camera: this.#camera.camera,
      setShadows: (resolution) => this.#picture.setShadows(resolution),
    });
    this.#loop = startRenderLoop(options.frames, {
      draw: (seconds, frameMs) => this.#draw(seconds, frameMs),
      hasChanged: () => this.#signature(this.#look()) !== this.#drawn,
    });
    canvas.addEventListener("webglcontextrestored", () => this.#redraw(), {
      signal: this.#closing.signal,
    });
    this.setNight(options.isNight ?? false);
    this.resize();
  }

  /** News. Whoever is moved by it glides there, unless it is far. */
  show(state: OfficeState): void {
    const time = this.#options.clock();
    // Nothing was drawn yet, or the clock was moved: there is nothing to glide from.
    const before = this.#figures.length === 0 ? [] : this.#look();
    const shown = new Map(before.map(({ agent, whereabouts }) => [agent.agent_id, whereabouts]));
    this.#state = state;
    this.#labels.refresh();
    this.#planCard.show(openPlan(this.#options.scene, state.tasks));
    this.#corrections.clear();
    for (const { agent, whereabouts } of this.#look()) {
      const was = shown.get(agent.agent_id);
      const correction = was === undefined ? undefined : correctionFrom(was, whereabouts, time);
      if (correction !== undefined && !this.#isMotionReduced) {
        this.#corrections.set(agent.agent_id, correction);
      }
    }
    this.#redraw();
  }

  /** What people point at; lies on the floor until other marks are set. */
  setMarks(marks: FloorMarks): void {
    this.#marks.show(marks);
    this.#pingLabels.show(marks.pings);
    this.#wake();
  }

  /** Call when the clock was moved or stopped: no one glides from one moment of the past to another. */
  jump(): void {
    this.#corrections.clear();
    this.#picture.forget();
    this.#figures = [];
    this.#redraw();
  }

  setNight(isNight: boolean): void {
    const mood = isNight ? NIGHT : DAY;
    this.#picture.setMood(mood, isNight);
    this.#rendering.setMood(mood);
    this.#redraw();
  }

  /** Someone chose it: from now on it stays. */
  setTier(tier: Tier): void {
    this.#rendering.setTier(tier);
    this.#wake();
  }

  setReducedMotion(isReduced: boolean): void {
    this.#isMotionReduced = isReduced;
    this.#camera.setReducedMotion(isReduced);
  }

  frameRoom(): void {
    this.#followed = undefined;
    this.#camera.frameRoom();
    this.#wake();
  }

  /** Goes to an agent or a point of interest, and stays there. */
  flyTo(id: string): void {
    this.#followed = undefined;
    const place = this.#placeOf(id);
    if (place !== undefined) this.#camera.flyTo(place);
    this.#wake();
  }

  /** Goes to an agent and keeps it in the picture wherever it walks. */
  follow(agentId: string): void {
    this.flyTo(agentId);
    this.#followed = agentId;
  }

  /** After the canvas has changed its size on the page. */
  resize(): void {
    const size = this.#size();
    this.#rendering.setSize(size);
    this.#fit(size, false);
  }

  /** What of the page lies over the picture, in its pixels: the room, those who are flown to and labels keep clear of it. */
  setCovers(covers: readonly Rectangle[]): void {
    this.#covers = covers;
    this.#fit(this.#size(), this.#frames > 0);
  }

  pick(x: number, y: number): Picked | undefined {
    return this.#pointer.pickAt(x, y);
  }

  /** Where on the floor that is, which goes on beyond the room; undefined above the horizon. */
  floorAt(x: number, y: number): Spot | undefined {
    return this.#pointer.floorAt(x, y);
  }

  stats(): EngineStats {
    const { renderer, pixelRatio } = this.#rendering;
    const { calls, triangles } = renderer.info.render;
    return {
      drawCalls: calls,
      triangles,
      frames: this.#frames,
      pixelRatio,
      motion: this.#motion,
    };
  }

  dispose(): void {
    this.#closing.abort();
    this.#loop.stop();
    this.#pointer.dispose();
    this.#labels.dispose();
    this.#pingLabels.dispose();
    this.#planCard.dispose();
    this.#camera.dispose();
    this.#picture.dispose();
    this.#rendering.dispose();
  }

  #size(): PictureSize {
    const { clientWidth, clientHeight } = this.#options.canvas;
    return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
  }

  #fit(size: PictureSize, isMoving: boolean): void {
    const free = freePart(size, this.#covers);
    this.#camera.fit(size, free, isMoving);
    this.#labels.fit({ size, free, covers: this.#covers });
    this.#wake();
  }

  /** More than the view has changed. */
  #redraw(): void {
    this.#rendering.castShadowsAnew();
    this.#wake();
  }

  #wake(): void {
    this.#motion = "lively";
    this.#loop.wake();
  }

  #draw(seconds: number, frameMs: number | undefined): Motion {
    if (frameMs !== undefined) this.#rendering.frameTook(frameMs);
    const time = this.#options.clock();
    const figures = this.#look();
    this.#figures = figures;
    this.#drawn = this.#signature(figures);
    this.#picture.show(figures, this.#state, { time, isMotionReduced: this.#isMotionReduced });
    const followed = figures.find(({ agent }) => agent.agent_id === this.#followed);
    if (followed !== undefined) this.#camera.keepAt(followed.whereabouts.pos);
    const isViewMoving = this.#camera.update(seconds);
    const isMarkMoving = this.#marks.update(seconds, this.#isMotionReduced);
    this.#labels.update(figures, this.#camera.camera);
    this.#pingLabels.place(this.#camera.camera);
    this.#planCard.place(this.#camera.camera);
    if (figures.some((figure) => this.#isMoving(figure)) || this.#picture.isChanging(time)) {
      this.#rendering.castShadowsAnew();
    }
    this.#rendering.render();
    this.#frames += 1;
    this.#motion = this.#motionOf(figures, isViewMoving || isMarkMoving, time);
    return this.#motion;
  }

  #motionOf(figures: readonly Figure[], isViewMoving: boolean, time: number): Motion {
    if (isViewMoving) return "lively";
    // A clock that stands still moves no one, wherever they are on their way.
    const isPassing = time !== this.#drawnAt;
    this.#drawnAt = time;
    if (!isPassing) return "still";
    // What is to come is only known of the past; there a walk may begin between two frames of a room that stands still.
    const isComing = ({ started_at }: Walk): boolean => started_at > time;
    if (this.#state.walks.values().some((walks) => walks.some(isComing))) return "lively";
    const isGliding = [...this.#corrections.values()].some((one) => !isSettled(one, time));
    if (isGliding || this.#picture.isChanging(time)) return "lively";
    if (figures.some(({ whereabouts }) => whereabouts.isWalking)) return "lively";
    return figures.some((figure) => this.#isMoving(figure)) ? "calm" : "still";
  }

  /** Where motion is reduced, hands keep still; who walks still gets there. */
  #isMoving({ isMoving, whereabouts }: Figure): boolean {
    return this.#isMotionReduced ? whereabouts.isWalking : isMoving;
  }

  #look(): readonly Figure[] {
    return figuresAt(this.#options.scene, this.#state, this.#options.clock(), this.#corrections);
  }

  /** What time alone can change; while someone moves, the time itself, so that a clock that goes on is noticed. */
  #signature(figures: readonly Figure[]): string {
    const isMoving = figures.some((figure) => this.#isMoving(figure));
    const looks = figures.map(({ posture, isGhost }) => `${posture}${isGhost ? "?" : ""}`);
    const now = this.#options.clock();
    // The clock on the wall moves on by the minute.
    return `${isMoving ? now : Math.floor(now / MINUTE_MS)} ${looks.join()}`;
  }

  #placeOf(id: string): Point | undefined {
    const figure = this.#look().find(({ agent }) => agent.agent_id === id);
    return (
      figure?.whereabouts.pos ?? this.#options.scene.pois.find(({ poi_id }) => poi_id === id)?.pos
    );
  }
}
