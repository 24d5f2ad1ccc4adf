/** How much a machine is asked for: three tiers. Within a tier the resolution follows how long frames take (resolution.ts). */
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
