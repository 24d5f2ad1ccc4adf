/** What the time of day changes, as numbers. */
export interface Mood {
  readonly sun: { readonly color: string; readonly intensity: number };
  /** From the other side and without shadows, so that what the sun does not reach is not gray. */
  readonly fill: { readonly color: string; readonly intensity: number };
  readonly sky: { readonly above: string; readonly below: string; readonly intensity: number };
  /** How much of the surroundings is mirrored, for soft highlights. */
  readonly surroundings: number;
  /** From 0, when the lamps are off, to 1. */
  readonly lamps: number;
  /** How brightly lampshades glow. */
  readonly shades: number;
  readonly screens: number;
  readonly bloom: number;
  /** Behind the room: the middle and the edges. */
  readonly backdrop: readonly [middle: string, edge: string];
  /** The tint of contact shadows; black ones look dirty. */
  readonly shade: string;
  readonly exposure: number;
}

/** Day: a warm sun from the left, a cool sky, a warm floor that throws some of it back. */
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

/** Night: the same room by lamplight, with a little moon so that no corner is black. */
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
