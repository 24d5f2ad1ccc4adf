/** Night: the same room by lamplight, with a little moon so that no corner is black. */
import type { Mood } from "./mood.ts";

export const NIGHT: Mood = {
  sun: { color: "#7d9cff", intensity: 0.5 },
  fill: { color: "#5570c0", intensity: 0.12 },
  sky: { above: "#4668c4", below: "#2b1d16", intensity: 0.5 },
  surroundings: 0.05,
  lamps: 1,
  shades: 1.7,
  screens: 1.9,
  bloom: 0.85,
  backdrop: ["#0b1534", "#050917"],
  shade: "#05070f",
  exposure: 1.05,
};
