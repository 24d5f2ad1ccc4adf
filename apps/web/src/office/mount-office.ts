/** Puts the 3D office into a page. */
import type { LabelFactory } from "./labels/labels.ts";
import { OfficeEngine } from "./office-engine.ts";
import type { SceneManifest } from "./state/scene-manifest.ts";
import { browserFrames } from "./view/browser-frames.ts";
import type { Picked } from "./view/picking.ts";
import type { Tier } from "./view/quality.ts";
import { firstTier, type Machine } from "./view/tier-choice.ts";

export interface MountOptions {
  readonly scene: SceneManifest;
  readonly clock: () => number;
  readonly createLabel: LabelFactory;
  readonly onPick: (picked: Picked | undefined) => void;
  readonly tier: Tier | "auto";
}

export interface MountedOffice {
  readonly engine: OfficeEngine;
  readonly canvas: HTMLCanvasElement;
  dispose(): void;
}

export function mountOffice(parent: HTMLElement, options: MountOptions): MountedOffice {
  const canvas = document.createElement("canvas");
  canvas.className = "office-canvas";
  // What it shows is told by the labels over it and the outline beside it.
  canvas.setAttribute("aria-hidden", "true");
  const labelLayer = document.createElement("div");
  labelLayer.className = "office-labels";
  parent.append(canvas, labelLayer);
  const { tier } = options;
  const engine = new OfficeEngine({
    ...options,
    canvas,
    labelLayer,
    frames: browserFrames(window),
    tier: tier === "auto" ? firstTier(thisMachine()) : tier,
    isTierAdapting: tier === "auto",
    pixelRatio: window.devicePixelRatio,
  });
  const observer = new ResizeObserver(() => engine.resize());
  observer.observe(parent);
  return {
    engine,
    canvas,
    dispose() {
      observer.disconnect();
      engine.dispose();
      canvas.remove();
      labelLayer.remove();
    },
  };
}

function thisMachine(): Machine {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name: unknown =
    info === null || info === undefined ? "" : gl?.getParameter(info.UNMASKED_RENDERER_WEBGL);
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return {
    renderer: typeof name === "string" ? name : "",
    memory: "deviceMemory" in navigator ? Number(navigator.deviceMemory) : undefined,
    isHandheld: window.matchMedia("(pointer: coarse) and (hover: none)").matches,
  };
}
