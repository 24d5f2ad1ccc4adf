/** How much a machine is asked for: three tiers, and within a tier a resolution that follows how long frames take. */
export const TIERS = ["low", "medium", "high"] as const;
export type Tier = (typeof TIERS)[number];

export interface Quality {
  /** 0: no shadows. */
  readonly shadowResolution: number;
  /** Contact shadows and glow; without, frames are drawn straight to the canvas. */
  readonly hasEffects: boolean;
  readonly isOcclusionHalved: boolean;
  readonly samples: number;
  readonly maxPixelRatio: number;
}

export const QUALITY: Readonly<Record<Tier, Quality>> = {
  low: {
    shadowResolution: 0,
    hasEffects: false,
    isOcclusionHalved: true,
    samples: 0,
    maxPixelRatio: 1,
  },
  medium: {
    shadowResolution: 1024,
    hasEffects: true,
    isOcclusionHalved: true,
    samples: 2,
    maxPixelRatio: 1.25,
  },
  high: {
    shadowResolution: 2048,
    hasEffects: true,
    isOcclusionHalved: false,
    samples: 4,
    maxPixelRatio: 1.5,
  },
};

export const LOWEST_PIXEL_RATIO = 0.85;
const SLOW_FRAME_MS = 30;
const FAST_FRAME_MS = 15;
const STEP = 0.15;

/** The next resolution, from the usual length of the last frames; slow to rise again, so that it does not swing. */
export function nextPixelRatio(current: number, frameMs: number, most: number): number {
  if (frameMs > SLOW_FRAME_MS) return Math.max(LOWEST_PIXEL_RATIO, current - STEP);
  if (frameMs < FAST_FRAME_MS) return Math.min(most, current + STEP / 3);
  return Math.min(most, current);
}
