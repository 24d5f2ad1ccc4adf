/** The tools of the crew, put together. Part of compose.ts. */
import { createTranscript } from "@atrium/core";
import { clock, ids } from "../platform/system-clock.ts";
import type { RunDirector } from "../runs/run-director.ts";
import { ownTools } from "../tools/own-tools.ts";
import { createToolbox, type OpenToolbox } from "../tools/toolbox.ts";
import type { ServerOptions } from "./parts.ts";
import type { Turns } from "./runs.ts";
import type { State } from "./state.ts";

/** Tools need runs, and turns need tools: one of them has to be looked up later. */
export function composeTools(
  { config }: Pick<ServerOptions, "config">,
  { log, conversations, dispatch }: Pick<State, "log" | "conversations" | "dispatch">,
  { humanInput, blobs }: Pick<Turns, "humanInput" | "blobs">,
  runs: () => RunDirector,
): OpenToolbox {
  return createToolbox(
    ownTools({
      crew: config.crew,
      conversations,
      transcript: createTranscript(log),
      dispatch,
      humanInput,
      blobs,
      clock,
      ids,
      modelOf: (handle) => runs().modelOf(handle),
      intake: { send: (message, once) => runs().intake.send(message, once) },
      live: { publish: (runId, event) => runs().live.publish(runId, event) },
      runs: { wait: (runId, signal) => runs().reports.wait(runId, signal) },
    }),
  );
}
