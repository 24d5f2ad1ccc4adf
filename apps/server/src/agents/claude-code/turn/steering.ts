/**
 * What people add while Claude Code is at work. It takes a message in after the tool at work, else in a turn of its own
 * right after this one, and tells which by repeating it. One at a time: several that wait become one.
 */
import type { TurnHost } from "../../turn/agent-runtime.ts";
import type { ClaudeProcess } from "../protocol/claude-process.ts";
import { asMessage } from "../protocol/prompt.ts";

export interface ClaudeSteering extends Disposable {
  /** Claude Code has been told something that it has not taken in yet, and will. */
  readonly isWaiting: boolean;
  take(): void;
  heard(text: string): void;
}

export function createSteering(
  claude: Pick<ClaudeProcess, "add">,
  host: Pick<TurnHost, "takeSteering" | "onSteering" | "signal">,
): ClaudeSteering {
  let waiting: string | undefined;
  const take = (): void => {
    if (claude.add === undefined || waiting !== undefined || host.signal.aborted) return;
    const texts = host.takeSteering();
    if (texts.length === 0) return;
    waiting = asMessage(texts.join("\n\n"));
    claude.add(waiting);
  };
  const stop = host.onSteering?.(take);
  return {
    get isWaiting() {
      return waiting !== undefined;
    },
    take,
    heard(text) {
      if (text !== waiting) return;
      waiting = undefined;
      take();
    },
    [Symbol.dispose]: () => stop?.(),
  };
}
