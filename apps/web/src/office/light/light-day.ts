/** Day: a warm sun from the left, a cool sky, a warm floor that throws some of it back. */
import type { Mood } from "./mood.ts";

export const DAY: Mood = {
  sun: { color: "#ffe2b8", intensity: 3.1 },
  fill: { color: "#fff0dc", intensity: 0.75 },
  sky: { above: "#dcebff", below: "#c8a27a", intensity: 0.7 },
  surroundings: 0.46,
  lamps: 0,
  shades: 0.12,
  screens: 2.0,
  bloom: 0,
  backdrop: ["#e9e0d2", "#cfc3b1"],
  shade: "#3a2414",
  exposure: 1,
};
