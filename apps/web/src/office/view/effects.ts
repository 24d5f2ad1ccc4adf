/** From the scene to the canvas: contact shadows, glow and tone mapping, or none of them on weak machines. */
import { N8AOPostPass } from "n8ao";
import {
  BloomEffect,
  EffectComposer,
  EffectPass,
  RenderPass,
  ToneMappingEffect,
  ToneMappingMode,
  VignetteEffect,
} from "postprocessing";
import {
  Color,
  HalfFloatType,
  NeutralToneMapping,
  NoToneMapping,
  type PerspectiveCamera,
  type Scene,
  type WebGLRenderer,
} from "three";
import type { Mood } from "../light/mood.ts";
import type { Quality } from "./quality.ts";

export interface Effects {
  setSize(width: number, height: number): void;
  setMood(mood: Mood): void;
  render(): void;
  dispose(): void;
}

export interface Stage {
  readonly renderer: WebGLRenderer;
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
}

export function createEffects(stage: Stage, quality: Quality): Effects {
  return quality.hasEffects ? composed(stage, quality) : plain(stage);
}

function plain({ renderer, scene, camera }: Stage): Effects {
  renderer.toneMapping = NeutralToneMapping;
  return {
    setSize: (width, height) => renderer.setSize(width, height, false),
    setMood: ({ exposure }) => void (renderer.toneMappingExposure = exposure),
    render: () => renderer.render(scene, camera),
    dispose: () => undefined,
  };
}

function composed({ renderer, scene, camera }: Stage, quality: Quality): Effects {
  // The composer maps tones at its end; doing it twice would gray everything.
  renderer.toneMapping = NoToneMapping;
  const composer = new EffectComposer(renderer, {
    frameBufferType: HalfFloatType,
    multisampling: quality.samples,
  });
  const occlusion = new N8AOPostPass(scene, camera);
  occlusion.setQualityMode(quality.isOcclusionHalved ? "Low" : "Medium");
  occlusion.configuration.aoRadius = 0.9;
  occlusion.configuration.distanceFalloff = 0.6;
  occlusion.configuration.intensity = 3;
  occlusion.configuration.halfRes = quality.isOcclusionHalved;
  occlusion.configuration.gammaCorrection = false;
  const bloom = new BloomEffect({
    mipmapBlur: true,
    luminanceThreshold: 0.9,
    luminanceSmoothing: 0.3,
    radius: 0.62,
  });
  const vignette = new VignetteEffect({ offset: 0.32, darkness: 0.36 });
  const tones = new ToneMappingEffect({ mode: ToneMappingMode.NEUTRAL });
  const glowing = new EffectPass(camera, bloom, vignette, tones);
  const sober = new EffectPass(
    camera,
    vignette,
    new ToneMappingEffect({ mode: ToneMappingMode.NEUTRAL }),
  );
  composer.addPass(new RenderPass(scene, camera));
  composer.addPass(occlusion);
  composer.addPass(glowing);
  composer.addPass(sober);
  return {
    setSize: (width, height) => composer.setSize(width, height, false),
    setMood(mood) {
      occlusion.configuration.color = new Color(mood.shade);
      bloom.intensity = mood.bloom;
      glowing.enabled = mood.bloom > 0;
      sober.enabled = !glowing.enabled;
      glowing.renderToScreen = glowing.enabled;
      sober.renderToScreen = sober.enabled;
      renderer.toneMappingExposure = mood.exposure;
    },
    render: () => composer.render(),
    dispose: () => composer.dispose(),
  };
}
