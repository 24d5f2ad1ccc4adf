/**
 * Tools that an agent brings along and uses by itself; we only hear of it. Whatever is heard, each call
 * is told once and answered once.
 *
 * What is heard may still wait to be told when the turn ends, and then it never is: only what was told is answered for.
 */
import type { TurnEvent } from "./agent-runtime.ts";

export interface ReportedTools {
  /** Whether a call was heard of whose result was not. */
  readonly isBusy: boolean;
  called(id: string, name: string, input: unknown): readonly TurnEvent[];
  returned(id: string, text: string, isError: boolean): readonly TurnEvent[];
  /** All that is told passes here, whatever it is about. */
  tell(events: readonly TurnEvent[]): Generator<TurnEvent>;
  /** Answers for every tool that has not returned; `advice` is a sentence for the agent. */
  settle(why: string, advice?: string): readonly TurnEvent[];
}

export function createReportedTools(): ReportedTools {
  const known = new Set<string>();
  const answered = new Set<string>();
  const open = new Map<string, string>();
  return {
    get isBusy() {
      return answered.size < known.size;
    },
    called(id, name, input) {
      if (known.has(id)) return [];
      known.add(id);
      return [{ type: "tool.called", id, name, input }];
    },
    returned(id, text, isError) {
      if (!known.has(id) || answered.has(id)) return [];
      answered.add(id);
      return [{ type: "tool.returned", id, text, isError }];
    },
    *tell(events) {
      for (const event of events) {
        if (event.type === "tool.called") open.set(event.id, event.name);
        else if (event.type === "tool.returned") open.delete(event.id);
        yield event;
      }
    },
    settle(why, advice = "") {
      const left = [...open];
      open.clear();
      for (const id of known) answered.add(id);
      return left.map(([id, name]) => ({
        type: "tool.returned",
        id,
        text: `${why} before ${name} answered.${advice}`,
        isError: true,
      }));
    },
  };
}
