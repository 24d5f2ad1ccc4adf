/**
 * What people add while Codex is at work: it goes into the turn under way. Codex may have ended that turn by itself in
 * the same moment and refuse; then what was added is left for another turn, because taking it was a promise.
 */
import type { TurnHost } from "../../turn/agent-runtime.ts";
import { textInput } from "../app-server/codex-input.ts";
import type { CodexProcess } from "../app-server/codex-process.ts";

export interface Steering extends Disposable {
  add(text: string): void;
  /** What no turn has taken in, once that is known. */
  left(): Promise<readonly string[]>;
}

export function createSteering(
  codex: Pick<CodexProcess, "steer">,
  host: Pick<TurnHost, "takeSteering" | "onSteering">,
): Steering {
  const refused: string[] = [];
  const underWay = new Set<Promise<void>>();
  const add = (text: string): void => {
    const adding = codex.steer([textInput(text)]).catch(() => void refused.push(text));
    underWay.add(adding);
    void adding.finally(() => underWay.delete(adding));
  };
  const take = (): void => {
    for (const text of host.takeSteering()) add(text);
  };
  const stop = host.onSteering?.(take);
  return {
    add,
    async left() {
      await Promise.all(underWay);
      return refused.splice(0);
    },
    [Symbol.dispose]: () => stop?.(),
  };
}
