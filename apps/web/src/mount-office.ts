/** Puts the 3D office into a page. */
import { createPlainLabel } from "./office/labels/plain-label.ts";
import { OfficeEngine } from "./office/office-engine.ts";
import type { SceneManifest } from "./office/scene-manifest.ts";
import { browserFrames } from "./office/view/browser-frames.ts";

export function mountOffice(parent: HTMLElement, scene: SceneManifest): OfficeEngine {
  const canvas = document.createElement("canvas");
  canvas.className = "office-canvas";
  const labelLayer = document.createElement("div");
  labelLayer.className = "office-labels";
  parent.append(canvas, labelLayer);
  const engine = new OfficeEngine({
    canvas,
    labelLayer,
    scene,
    clock: () => Date.now(),
    frames: browserFrames(window),
    createLabel: (agentId) =>
      createPlainLabel(
        agentId,
        ({ agent }) => agent.state,
        (id) => engine.follow(id),
      ),
    tier: "high",
    pixelRatio: window.devicePixelRatio,
    isMotionReduced: window.matchMedia("(prefers-reduced-motion: reduce)").matches,
  });
  window.addEventListener("resize", () => engine.resize());
  return engine;
}
