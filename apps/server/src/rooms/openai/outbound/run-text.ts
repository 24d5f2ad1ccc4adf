/** The text of a run while it is being written, for the requests that stream it. */
import type { LiveRun, LiveRuns } from "../../../runs/live-runs.ts";

export interface RunText {
  /** Called with the whole text so far: at once if there is any, then each time there is more. */
  follow(runId: string, listener: (text: string) => void): Disposable;
}

export function createRunText(live: Pick<LiveRuns, "get" | "onEvent">): RunText {
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
