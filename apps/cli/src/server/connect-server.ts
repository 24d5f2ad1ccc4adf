/**
 * A client that is connected to the server that was found, or an error that says why not.
 *
 * The first attempt decides: a command that cannot begin says so at once. Once connected, a client comes
 * back by itself for as long as its command lasts.
 */
import {
  createGatewayClient,
  describeFailure,
  GatewayError,
  type ConnectionState,
  type GatewayClient,
} from "@atrium/client";
import { CliError } from "../command-line/cli-error.ts";
import { ownVersion } from "../command-line/own-version.ts";
import type { ServerPlace } from "./find-server.ts";
import { openOwnDevice } from "./own-device.ts";
import { isRecord } from "./settings.ts";

const CONNECT_TIMEOUT_MS = 20_000;

async function createClient(place: ServerPlace): Promise<GatewayClient> {
  const { deviceFile } = place;
  const device = deviceFile === undefined ? undefined : await openOwnDevice(deviceFile);
  return createGatewayClient({
    url: place.socketUrl,
    token: place.token,
    client: {
      id: "cli",
      displayName: "atrium",
      version: ownVersion(),
      platform: process.platform,
      mode: "cli",
    },
    device,
    scopes: ["operator.admin"],
    caps: ["tool-events"],
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
}

export async function connectServer(place: ServerPlace): Promise<GatewayClient> {
  const client = await createClient(place);
  try {
    await firstAttempt(client);
    return client;
  } catch (cause) {
    await client.close();
    throw whyNot(place, cause);
  }
}

async function firstAttempt(client: GatewayClient): Promise<void> {
  const leave = new AbortController();
  let failure: ConnectionState | undefined;
  const unsubscribe = client.onState((state) => {
    if (state.state !== "waiting") return;
    failure = state;
    leave.abort();
  });
  try {
    await client.connect({ signal: leave.signal });
  } catch (cause) {
    if (failure?.state !== "waiting") throw cause;
    throw new CliError(describeFailure(failure.failure), {}, cause);
  } finally {
    unsubscribe();
  }
}

function whyNot({ url, token, home }: ServerPlace, cause: unknown): CliError {
  if (cause instanceof GatewayError) {
    if (isWaiting(cause)) {
      return new CliError(
        `${url} has not approved this machine: ${cause.message}.`,
        { advice: "On the server, run: atrium devices approve ID. Then retry." },
        cause,
      );
    }
    const advice =
      token === undefined
        ? "Pass the token with --token or ATRIUM_TOKEN."
        : home === undefined
          ? "Check the token in --token or ATRIUM_TOKEN."
          : "The server may use another token. Pass it with --token.";
    return new CliError(`${url} rejected the connection: ${cause.message}.`, { advice }, cause);
  }
  return new CliError(
    `${url} does not answer.`,
    { advice: "To find the cause, run: atrium doctor" },
    cause,
  );
}

function isWaiting({ details }: GatewayError): boolean {
  return isRecord(details) && details["code"] === "PAIRING_REQUIRED";
}
