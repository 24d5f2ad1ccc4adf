/** What a command leads to: the server takes it at once, and tells later how it went. */
import type { WorldClient } from "@atrium/client";
import type { WorldMessageOf } from "@atrium/wire/world";
import { CliError } from "../command-line/cli-error.ts";

type Event = WorldMessageOf<"event">["payload"];

const TIMEOUT_MS = 120_000;

/** The first event that is meant, among those that come after the command was sent. */
export async function sendAndAwait<Found>(
  world: WorldClient,
  send: () => Promise<unknown>,
  find: (event: Event) => Found | undefined,
): Promise<Found> {
  const { promise, resolve, reject } = Promise.withResolvers<Found>();
  const unsubscribe = world.on("event", ({ payload }) => {
    const found = find(payload);
    if (found !== undefined) resolve(found);
  });
  const late = `Nothing was heard of it for ${TIMEOUT_MS / 1_000} s. It may still happen.`;
  const timeout = setTimeout(() => reject(new CliError(late)), TIMEOUT_MS);
  // Whichever of the two is refused first is what is told.
  promise.catch(() => undefined);
  try {
    await send();
    return await promise;
  } finally {
    clearTimeout(timeout);
    unsubscribe();
  }
}
