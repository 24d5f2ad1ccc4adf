/**
 * How frames get to the canvas: the renderer, and how much the machine is asked for. What is drawn is not its business.
 *
 *   a frame took long -> a lower resolution -> at the lowest, a lower tier (unless someone chose it)
 */
import { PCFShadowMap, WebGLRenderer, type PerspectiveCamera, type Scene } from "three";
import type { Mood } from "../light/mood.ts";
import { createEffects, type Effects } from "./effects.ts";
import { QUALITY, type Tier } from "./quality.ts";
import type { PictureSize } from "./rectangle.ts";
import { createResolution, type Resolution } from "./resolution.ts";
import { createTierChoice, type TierChoice } from "./tier-choice.ts";

export interface RenderingOptions {
  readonly canvas: HTMLCanvasElement;
  readonly tier: Tier;
  /** The tier is a guess and follows how long frames take; otherwise someone chose it. */
  readonly isTierAdapting: boolean;
  readonly pixelRatio: number;
}

/** What is drawn, and who makes the shadows in it. */
export interface Subject {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  setShadows(resolution: number): void;
}

export class Rendering {
  readonly renderer: WebGLRenderer;
  readonly #options: RenderingOptions;
  #tier: Tier;
  #tierChoice: TierChoice | undefined;
  #resolution: Resolution;
  #subject: Subject | undefined;
  #effects: Effects | undefined;
  #mood: Mood | undefined;
  #size: PictureSize = { width: 1, height: 1 };

  constructor(options: RenderingOptions) {
    const { canvas, tier, isTierAdapting } = options;
    this.#options = options;
    this.#tier = tier;
    this.#tierChoice = isTierAdapting ? createTierChoice(tier) : undefined;
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: !QUALITY[tier].hasEffects,
      powerPreference: "high-performance",
    });
    this.renderer.info.autoReset = false;
    this.renderer.shadowMap.type = PCFShadowMap;
    // Only people cast shadows that move; turning the camera needs no new ones.
    this.renderer.shadowMap.autoUpdate = false;
    this.#resolution = this.#chooseResolution();
  }

  get pixelRatio(): number {
    return this.#resolution.pixelRatio;
  }

  begin(subject: Subject): void {
    this.#subject = subject;
    this.#stage(subject);
  }

  /** Someone chose it: from now on it stays. */
  setTier(tier: Tier): void {
    this.#tierChoice = undefined;
    this.#changeTier(tier);
  }

  setMood(mood: Mood): void {
    this.#mood = mood;
    this.#effects?.setMood(mood);
  }

  setSize(size: PictureSize): void {
    this.#size = size;
    this.renderer.setPixelRatio(this.pixelRatio);
    this.#effects?.setSize(size.width, size.height);
  }

  castShadowsAnew(): void {
    this.renderer.shadowMap.needsUpdate = true;
  }

  frameTook(milliseconds: number): void {
    if (this.#resolution.frameTook(milliseconds)) this.setSize(this.#size);
    const choice = this.#tierChoice;
    if (choice?.frameTook(milliseconds, this.#resolution.stands) === true) {
      this.#changeTier(choice.tier);
    }
  }

  render(): void {
    this.renderer.info.reset();
    this.#effects?.render();
  }

  dispose(): void {
    this.#effects?.dispose();
    this.renderer.dispose();
  }

  #changeTier(tier: Tier): void {
    if (tier === this.#tier) return;
    this.#tier = tier;
    this.#resolution = this.#chooseResolution();
    if (this.#subject === undefined) return;
    this.#effects?.dispose();
    this.#stage(this.#subject);
    this.setSize(this.#size);
    this.castShadowsAnew();
  }

  #stage(subject: Subject): void {
    const quality = QUALITY[this.#tier];
    this.renderer.shadowMap.enabled = quality.shadowResolution > 0;
    subject.setShadows(quality.shadowResolution);
    this.#effects = createEffects({ ...subject, renderer: this.renderer }, quality);
    if (this.#mood !== undefined) this.#effects.setMood(this.#mood);
  }

  #chooseResolution(): Resolution {
    return createResolution(Math.min(this.#options.pixelRatio, QUALITY[this.#tier].maxPixelRatio));
  }
}
