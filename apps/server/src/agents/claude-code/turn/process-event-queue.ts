/**
 * What Claude Code has said and the turn has not taken yet. What it says in a row is put together, so the queue
 * stays short however slow the turn is; when even the words are too many, it overflows, once.
 */
import type { ProcessEvent } from "../protocol/claude-process.ts";

export interface ProcessEventQueue {
  push(event: ProcessEvent): void;
  next(): Promise<ProcessEvent>;
}

export function createProcessEventQueue(maxCharacters: number): ProcessEventQueue {
  const waiting: ProcessEvent[] = [];
  let characters = 0;
  let hasOverflowed = false;
  let wake: (() => void) | undefined;

  const put = (event: ProcessEvent): void => {
    const last = waiting.at(-1);
    if ((event.type === "text" || event.type === "thinking") && last?.type === event.type) {
      waiting[waiting.length - 1] = { type: event.type, delta: `${last.delta}${event.delta}` };
    } else waiting.push(event);
  };
  return {
    push(event) {
      if (hasOverflowed && event.type !== "gone" && event.type !== "ended") return;
      characters += sizeOf(event);
      if (characters > maxCharacters && !hasOverflowed) {
        hasOverflowed = true;
        put({ type: "ended", ending: TOO_MUCH, isAtWork: true });
      } else put(event);
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

function sizeOf(event: ProcessEvent): number {
  switch (event.type) {
    case "text":
    case "thinking":
      return event.delta.length;
    case "tool.returned":
      return event.text.length;
    case "tool.called":
    case "permission.wanted":
      return JSON.stringify(event.input)?.length ?? 0;
    case "permission.settled":
    case "heard":
    case "tools.lost":
    case "usage":
    case "retrying":
    case "ended":
    case "gone":
      return 0;
  }
}
