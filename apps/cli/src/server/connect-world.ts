/** A client of the world that is connected to the server that was found, or an error that says why not. */
import { createWorldClient, type WorldClient, type WorldStatus } from "@atrium/client";
import { CliError, messageOf } from "../command-line/cli-error.ts";
import type { ServerPlace } from "./find-server.ts";

const CHANNELS = { events: true, snapshots: true, agent_stream: true, calls: true };

/** The first attempt decides: a command that cannot begin says so at once. */
export async function connectWorld({ socketUrl, token, url }: ServerPlace): Promise<WorldClient> {
  const client = createWorldClient({
    url: new URL("/ws/world", socketUrl).href,
    token,
    client: { name: "atrium", platform: process.platform },
    channels: CHANNELS,
  });
  const giveUp = ({ state }: WorldStatus): void => {
    if (state === "stale") client.close();
  };
  const unsubscribe = client.onStatus(giveUp);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    client.close();
    throw new CliError(
      `${url} did not let us in: ${messageOf(cause)}.`,
      { advice: "Check --url and --token. To find the cause, run: atrium doctor" },
      cause,
    );
  } finally {
    unsubscribe();
  }
}
