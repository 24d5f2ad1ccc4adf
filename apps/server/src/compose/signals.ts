/** The signal room, put together. Part of compose.ts, and imported by it alone. */
import { createHookAccess, HOOK_SECRET } from "../access/hook-access.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { systemTimers } from "../platform/timers.ts";
import { openSignalRoom } from "../rooms/signal/room.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";

type SignalParts = Pick<Shared, "state" | "fanout" | "director" | "auth" | "attempts">;

export function composeSignals(
  { config, home, report }: ServerOptions,
  { state, fanout, director, auth, attempts }: SignalParts,
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
    hookAccess: createHookAccess({ secret: home.secret(HOOK_SECRET), attempts, ...auth }),
    crossOrigin: { allowedOrigins: config.allowedOrigins },
    epoch: log.epoch,
    head: () => log.head,
    readEntries: (after) => log.read({ after }),
    agentIdOf: (handle) => crew.find((member) => member.handle === handle)?.id ?? `agent_${handle}`,
    live: director.live,
    openAudience: () => fanout.openAudience(),
    clock,
    ids,
    timers: systemTimers,
    limits,
    report,
  });
  const { apps, onBatch } = room;
  return { sockets: { "/ws/signals": room }, apps, onBatch, close: () => room.close() };
}
