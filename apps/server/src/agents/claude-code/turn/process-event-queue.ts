/**
 * What Claude Code has said and the turn has not taken yet. What it says in a row is put together, so the queue
 * stays short however slow the turn is; when even the words are too many, it overflows, once.
 */
import type { ProcessEvent } from "../protocol/claude-process.ts";

export interface ProcessEventQueue {
  push(heard: ProcessEvent): void;
  next(): Promise<ProcessEvent>;
}

export function createProcessEventQueue(maxCharacters: number): ProcessEventQueue {
  const waiting: ProcessEvent[] = [];
  let characters = 0;
  let hasOverflowed = false;
  let wake: (() => void) | undefined;

  const put = (heard: ProcessEvent): void => {
    const last = waiting.at(-1);
    if ((heard.type === "text" || heard.type === "thinking") && last?.type === heard.type) {
      waiting[waiting.length - 1] = { type: heard.type, delta: `${last.delta}${heard.delta}` };
    } else waiting.push(heard);
  };
  return {
    push(heard) {
      if (hasOverflowed && heard.type !== "gone" && heard.type !== "ended") return;
      characters += sizeOf(heard);
      if (characters > maxCharacters && !hasOverflowed) {
        hasOverflowed = true;
        put({ type: "ended", ending: TOO_MUCH, isAtWork: true });
      } else put(heard);
      wake?.();
    },
    async next() {
      while (waiting.length === 0) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const [first] = waiting.splice(0, 1);
      if (first === undefined) return this.next();
      characters -= sizeOf(first);
      return first;
    },
  };
}

const TOO_MUCH = {
  how: "failed",
  kind: "unknown",
  reason: "Claude Code said more at once than can be taken in.",
} as const;

function sizeOf(heard: ProcessEvent): number {
  switch (heard.type) {
    case "text":
    case "thinking":
      return heard.delta.length;
    case "tool.returned":
      return heard.text.length;
    case "tool.called":
    case "permission.wanted":
      return JSON.stringify(heard.input)?.length ?? 0;
    case "permission.settled":
    case "tools.lost":
    case "usage":
    case "retrying":
    case "ended":
    case "gone":
      return 0;
  }
}
