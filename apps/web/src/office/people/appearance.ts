/** What a person looks like, always the same for the same agent. */
import { pick, seeded } from "../room/seeded.ts";

export const HAIR_STYLES = ["crop", "bob", "bun", "curls", "quiff", "long"] as const;
export type HairStyle = (typeof HAIR_STYLES)[number];

export interface FigureAppearance {
  readonly skin: string;
  readonly hair: string;
  readonly hairStyle: HairStyle;
  readonly top: string;
  readonly trousers: string;
}

const SKINS = ["#ffd9bd", "#f7c9a4", "#e8b088", "#c98d62", "#9c6540", "#6f452b"] as const;
const HAIRS = [
  "#1f1a1c",
  "#3c2416",
  "#6b3a1c",
  "#a3501f",
  "#c9331f",
  "#e2b04a",
  "#8d93a3",
  "#4b2e57",
] as const;
const TOPS = [
  "#e2532f",
  "#f08a1d",
  "#f2c230",
  "#3f9a4d",
  "#1f8f86",
  "#2f7fd6",
  "#3a55b4",
  "#8a4bb0",
  "#d9527f",
  "#f4f0e6",
] as const;
const TROUSERS = ["#24344f", "#2f2f38", "#5b4a3a", "#3f4f3f", "#8a7a62"] as const;

/** Under this distance, hair is hard to tell from a forehead. */
export const HAIR_APART = 60;

/** `look`: the one it was given; left out: made of its id. */
export function appearanceOf(agentId: string, look?: number): FigureAppearance {
  const roll = seeded(look === undefined ? agentId : `look ${look}`);
  const skin = pick(SKINS, roll());
  const [first = HAIRS[0], ...others] = HAIRS.filter(
    (hair) => colorDistance(skin, hair) >= HAIR_APART,
  );
  return {
    skin,
    hair: pick([first, ...others], roll()),
    hairStyle: pick(HAIR_STYLES, roll()),
    top: pick(TOPS, roll()),
    trousers: pick(TROUSERS, roll()),
  };
}

/** How unlike two colors look, by the low-cost metric of T. Riemersma (compuphase.com/cmetric.htm). */
export function colorDistance(one: string, other: string): number {
  const [red, green, blue] = channels(one);
  const [otherRed, otherGreen, otherBlue] = channels(other);
  const meanRed = (red + otherRed) / 2;
  return (
    Math.sqrt(
      (2 + meanRed / 256) * (red - otherRed) ** 2 +
        4 * (green - otherGreen) ** 2 +
        (2 + (255 - meanRed) / 256) * (blue - otherBlue) ** 2,
    ) / 3
  );
}

function channels(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
