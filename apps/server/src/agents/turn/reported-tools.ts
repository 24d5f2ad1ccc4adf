/**
 * Tools that an agent brings along and uses by itself; we only hear of it. Whatever is heard, each call
 * is told once and answered once.
 */
import type { TurnEvent } from "./agent-runtime.ts";

export interface ReportedTools {
  called(id: string, name: string, input: unknown): readonly TurnEvent[];
  returned(id: string, text: string, isError: boolean): readonly TurnEvent[];
  /** Answers for every tool that has not returned; `advice` is a sentence for the agent. */
  settle(why: string, advice?: string): readonly TurnEvent[];
}

export function createReportedTools(): ReportedTools {
  const open = new Map<string, string>();
  const known = new Set<string>();
  return {
    called(id, name, input) {
      if (known.has(id)) return [];
      known.add(id);
      open.set(id, name);
      return [{ type: "tool.called", id, name, input }];
    },
    returned(id, text, isError) {
      return open.delete(id) ? [{ type: "tool.returned", id, text, isError }] : [];
    },
    settle(why, advice = "") {
      const left = [...open];
      open.clear();
      return left.map(([id, name]) => ({
        type: "tool.returned",
        id,
        text: `${why} before ${name} answered.${advice}`,
        isError: true,
      }));
    },
  };
}
