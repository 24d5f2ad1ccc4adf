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
