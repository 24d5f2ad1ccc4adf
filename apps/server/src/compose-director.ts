/** The director of the crew's turns, put together. Part of compose.ts. */
import { setTimeout } from "node:timers/promises";
import type { State } from "./compose-state.ts";
import { createDirector, type Director, type DirectorDeps } from "./director/director.ts";
import { clock, ids } from "./machine.ts";
import type { Surface } from "./surface.ts";

export function composeDirector(
  surface: Surface,
  state: State,
  turns: Pick<DirectorDeps, "asking" | "blobs" | "termsOf" | "runtimeOf">,
): Director {
  const { config, report } = surface;
  return createDirector({
    ...state,
    ...turns,
    crew: config.crew,
    limits: config.limits,
    ids,
    now: () => clock.now(),
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    report,
  });
}
