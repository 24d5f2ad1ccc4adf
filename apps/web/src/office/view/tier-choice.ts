/**
 * Which tier a machine gets when its person has not chosen: a first guess from what it says of itself, then what its frames
 * say. Within a tier the resolution gives way first; only at its lowest does the tier. A tier that was too much once is not tried
 * again, so that the picture does not swing.
 */
import { TIERS, type Tier } from "./quality.ts";

export interface Machine {
  /** What the graphics driver calls itself; empty when it does not say. */
  readonly renderer: string;
  /** In gigabytes, as far as the browser tells. */
  readonly memory: number | undefined;
  readonly isHandheld: boolean;
}

const BY_PROCESSOR = /swiftshader|llvmpipe|softpipe|software|basic render/i;
const MODEST = /\b(u?hd) graphics|mali|adreno|powervr|videocore|geforce (gt |8|9)/i;
const LITTLE_MEMORY = 4;

export function firstTier({ renderer, memory, isHandheld }: Machine): Tier {
  // A machine that draws with its processor has better uses for it.
  if (BY_PROCESSOR.test(renderer)) return "low";
  const isSmall = isHandheld || (memory !== undefined && memory <= LITTLE_MEMORY);
  return isSmall || renderer === "" || MODEST.test(renderer) ? "medium" : "high";
}

export interface TierChoice {
  readonly tier: Tier;
  /** How long a frame took while something moved, and where the resolution stands. Says whether the tier is another one now. */
  frameTook(milliseconds: number, resolution: "lowest" | "between" | "highest"): boolean;
}

const SLOW_MS = 36;
const QUICK_MS = 14;
const FRAMES_TO_FALL = 90;
const FRAMES_TO_RISE = 900;

export function createTierChoice(first: Tier): TierChoice {
  let tier = first;
  let most: Tier = "high";
  let usualMs = (SLOW_MS + QUICK_MS) / 2;
  let slowFrames = 0;
  let quickFrames = 0;
  const change = (next: Tier): boolean => {
    tier = next;
    slowFrames = 0;
    quickFrames = 0;
    return true;
  };
  return {
    get tier() {
      return tier;
    },
    frameTook(milliseconds, resolution) {
      usualMs += (milliseconds - usualMs) * 0.1;
      slowFrames = usualMs > SLOW_MS && resolution === "lowest" ? slowFrames + 1 : 0;
      quickFrames = usualMs < QUICK_MS && resolution === "highest" ? quickFrames + 1 : 0;
      const lower = TIERS[TIERS.indexOf(tier) - 1];
      if (slowFrames >= FRAMES_TO_FALL && lower !== undefined) {
        most = lower;
        return change(lower);
      }
      const higher = TIERS[TIERS.indexOf(tier) + 1];
      const canRise = higher !== undefined && TIERS.indexOf(higher) <= TIERS.indexOf(most);
      return quickFrames >= FRAMES_TO_RISE && canRise ? change(higher) : false;
    },
  };
}
