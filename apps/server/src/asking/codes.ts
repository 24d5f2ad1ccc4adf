/** The codes people type to answer a permission: five letters, unlike any that is in use. */
import { CODE_LENGTH, CODE_LETTERS } from "@atrium/core";

/** A whole number from 0 up to, not including, that many. */
export type RandomBelow = (count: number) => number;

export function makeCode(random: RandomBelow, isTaken: (code: string) => boolean): string {
  for (;;) {
    const letters = Array.from(
      { length: CODE_LENGTH },
      () => CODE_LETTERS[random(CODE_LETTERS.length)],
    );
    const code = letters.join("");
    if (!isTaken(code)) return code;
  }
}
