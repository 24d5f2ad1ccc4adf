/** What one turn uses: tokens as Claude Code counts them, or estimated where it does not, which never fall; a cost as it tells it. */
import { NOTHING_USED } from "@atrium/core";
import type { TurnEvent, TurnUsage } from "../../turn/agent-runtime.ts";

export interface ClaudeMeter {
  /** Whether Claude has written anything. */
  readonly hasHeard: boolean;
  /** Characters Claude has written. */
  hear(characters: number): void;
  /** Whether that is news. */
  count(usage: TurnUsage): boolean;
  reading(): TurnEvent;
}

const CHARACTERS_PER_TOKEN = 4;

function estimate(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

export function createMeter(promptCharacters: number): ClaudeMeter {
  let heard = 0;
  let counted: TurnUsage = NOTHING_USED;
  let shown = counted;
  return {
    get hasHeard() {
      return heard > 0;
    },
    hear(characters) {
      heard += characters;
    },
    count(usage) {
      const { inputTokens, outputTokens, cost } = counted;
      counted = usage;
      return (
        usage.inputTokens !== inputTokens ||
        usage.outputTokens !== outputTokens ||
        usage.cost !== cost
      );
    },
    reading() {
      const input = counted.inputTokens > 0 ? counted.inputTokens : estimate(promptCharacters);
      const output = counted.outputTokens > 0 ? counted.outputTokens : estimate(heard);
      shown = {
        inputTokens: Math.max(shown.inputTokens, input),
        outputTokens: Math.max(shown.outputTokens, output),
        ...(counted.cost !== undefined && { cost: counted.cost }),
      };
      return { type: "usage", usage: shown };
    },
  };
}
