/** The words of runs on their way, for those who follow one of them. */
import type { LiveRun, LiveRuns } from "../../../runs/live-runs.ts";

export interface RunText {
  /** What has been said so far, each time there is more; what was said already is told at once. */
  follow(runId: string, listener: (text: string) => void): Disposable;
}

export function createRunWords(live: Pick<LiveRuns, "get" | "onEvent">): RunText {
  const followers = new Map<string, Set<(text: string) => void>>();
  live.onEvent(({ runId, text }: LiveRun, { type }) => {
    if (type !== "text") return;
    for (const listener of followers.get(runId) ?? []) listener(text);
  });
  return {
    follow(runId, listener) {
      const others = followers.get(runId) ?? new Set();
      followers.set(runId, others.add(listener));
      const known = live.get(runId);
      if (known !== undefined && known.text !== "") listener(known.text);
      return {
        [Symbol.dispose]() {
          others.delete(listener);
          if (others.size === 0) followers.delete(runId);
        },
      };
    },
  };
}
