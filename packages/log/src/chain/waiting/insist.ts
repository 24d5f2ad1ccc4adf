/** Asking servers that may just be starting, or electing a leader. */
import { LogFault } from "../../log.ts";
import { pause, type ChainClock } from "./clock.ts";

const RETRY_MS = 250;
const MAX_TRIES = 60;

/** A fault is an answer; anything else means that nobody can tell for the moment. */
export async function insist<Value>(clock: ChainClock, ask: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof LogFault || tries === MAX_TRIES) throw error;
      await pause(clock, RETRY_MS);
    }
  }
}
