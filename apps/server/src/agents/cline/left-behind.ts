/**
 * What programs leave running when they end, such as Cline's hub, which is in no process group of theirs. All of it
 * carries the mark of its runtime in its environment, and ends when no turn of the runtime is under way any more. What
 * people have started themselves has no mark. Read from /proc, so on Linux only.
 */
import { kill, markedProcesses } from "../../confinement/process-tree.ts";
import type { Timers } from "../../platform/timers.ts";

const VARIABLE = "ATRIUM_RUNTIME_MARK";
const LOOK_AGAIN_MS = 20;
/** One that is just being started may not be seen at first. */
const MAX_LOOKS = 50;

export interface LeftBehind {
  /** For the environment of what is started. */
  readonly env: Readonly<Record<string, string>>;
  /** A turn begins; whoever disposes of it last ends what is left. */
  begin(): AsyncDisposable;
  end(): Promise<void>;
}

export function createLeftBehind(mark: string, timers: Timers): LeftBehind {
  let turns = 0;
  async function end(): Promise<void> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const left = markedProcesses(`${VARIABLE}=${mark}`);
      if (left.length === 0) return;
      for (const pid of left) kill(pid);
      const { promise, resolve } = Promise.withResolvers<void>();
      timers.after(LOOK_AGAIN_MS, resolve);
      await promise;
    }
  }
  return {
    env: { [VARIABLE]: mark },
    begin() {
      turns++;
      return {
        async [Symbol.asyncDispose]() {
          turns--;
          if (turns === 0) await end();
        },
      };
    },
    end,
  };
}
