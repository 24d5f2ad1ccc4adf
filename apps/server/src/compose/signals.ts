/** The signal room, put together. Part of compose.ts, and imported by it alone. */
import { clock } from "../platform/system-clock.ts";
import { systemTimers } from "../platform/timers.ts";
import { openSignalRoom } from "../rooms/signal/room.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";

export function composeSignals(
  { config, report }: ServerOptions,
  { state, fanout, director, auth }: Pick<Shared, "state" | "fanout" | "director" | "auth">,
): Part {
  const { log, dispatch, activities, visitors } = state;
  const { crew, limits } = config;
  const room = openSignalRoom({
    dispatch,
    activities,
    mirror: state.relay.mirror,
    visitors,
    authenticate: auth.authenticate,
    access: auth.access,
    crossOrigin: { allowedOrigins: config.allowedOrigins },
    epoch: log.epoch,
    head: () => log.head,
    readEntries: (after) => log.read({ after }),
    agentIdOf: (handle) => crew.find((member) => member.handle === handle)?.id ?? `agent_${handle}`,
    live: director.live,
    openAudience: () => fanout.openAudience(),
    clock,
    timers: systemTimers,
    limits,
    report,
  });
  const { app, onBatch } = room;
  return { sockets: { "/ws/signals": room }, apps: [app], onBatch, close: () => room.close() };
}
