/** Plausible token counts: about four characters each, and whatever a direction adds. Never falls. */
import type { Turn, TurnEvent } from "../agent-runtime.ts";

const CHARACTERS_PER_TOKEN = 4;

export interface Meter {
  wrote(text: string): void;
  spent(tokens: number): void;
  reading(): TurnEvent;
}

export function createMeter(turn: Turn): Meter {
  const read = [turn.instructions, turn.prompt, ...turn.history.map(({ text }) => text)];
  const inputTokens = tokensOf(read.reduce((sum, text) => sum + text.length, 0));
  let characters = 0;
  let extra = 0;
  return {
    wrote: (text) => void (characters += text.length),
    spent: (tokens) => void (extra += tokens),
    reading: () => ({
      type: "usage",
      usage: { inputTokens, outputTokens: tokensOf(characters) + extra },
    }),
  };
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
