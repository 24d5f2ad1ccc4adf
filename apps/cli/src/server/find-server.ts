/**
 * Which server is meant: the one named by flag or environment, else the one that holds the home folder.
 *
 * The token in the home folder is for servers on this machine; it is never sent to another.
 */
import { join } from "node:path";
import { CliError, EXIT, messageOf } from "../command-line/cli-error.ts";
import type { Environment } from "../command-line/environment.ts";
import { shortPath } from "../terminal/measures.ts";
import { isProcess, readHolder, readToken, type Holder } from "./home-files.ts";
import { probeServer } from "./probe-server.ts";
import { nonEmpty, readSettings, type Flags, type ServerSettings } from "./settings.ts";

export interface ServerFlags extends Flags {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

export interface ServerPlace {
  /** As a person would open it, without secrets. */
  readonly url: string;
  readonly socketUrl: string;
  readonly token: string | undefined;
  /** Absent when the server was named by its address. */
  readonly home: string | undefined;
  /** Where our own key is, for a server on another machine. */
  readonly deviceFile: string | undefined;
}

export type ServerLocation =
  | { readonly state: "named"; readonly place: ServerPlace; readonly settings: ServerSettings }
  | {
      readonly state: "running";
      readonly place: ServerPlace;
      readonly settings: ServerSettings;
      readonly holder: Holder;
    }
  | {
      readonly state: "not running";
      readonly settings: ServerSettings;
      /** Who held the home last, without having left properly. */
      readonly holder: Holder | undefined;
    };

export async function lookForServer(
  flags: ServerFlags,
  environment: Pick<Environment, "env" | "cwd">,
): Promise<ServerLocation> {
  const settings = readSettings(flags, environment);
  const { home } = settings;
  const named = flags.url ?? nonEmpty(environment.env["ATRIUM_URL"]);
  if (named !== undefined) {
    const url = readUrl(named);
    const inUrl = nonEmpty(new URLSearchParams(url.hash.slice(1)).get("token") ?? undefined);
    const isNear = isThisMachine(url.hostname);
    const kept = isNear ? readToken(home) : undefined;
    const deviceFile = isNear ? undefined : join(home, "cli-device.json");
    const token = flags.token ?? inUrl ?? settings.token ?? kept;
    return { state: "named", place: { ...placeAt(url, token, undefined), deviceFile }, settings };
  }
  const holder = readHolder(home);
  if (holder === undefined || !(await isHolding(holder))) {
    return { state: "not running", settings, holder };
  }
  const token = flags.token ?? settings.token ?? readToken(home);
  return { state: "running", place: placeAt(readUrl(holder.url), token, home), settings, holder };
}

/** The process alone is no proof: the holder of a home also answers at its address, or at least accepts connections. */
async function isHolding({ pid, url }: Holder): Promise<boolean> {
  if (!isProcess(pid) || !URL.canParse(url)) return false;
  const result = await probeServer(url);
  return result === "atrium" || result === "silent";
}

export async function findServer(
  flags: ServerFlags,
  environment: Pick<Environment, "env" | "cwd">,
): Promise<ServerPlace> {
  const found = await lookForServer(flags, environment);
  if (found.state !== "not running") return found.place;
  throw serverNotRunning(found.settings.home);
}

export function serverNotRunning(home: string): CliError {
  return new CliError(`No server is running for ${shortPath(home)}.`, {
    advice: "To start one, run: atrium up",
  });
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

function placeAt(url: URL, token: string | undefined, home: string | undefined): ServerPlace {
  const clean = new URL(url);
  clean.hash = "";
  clean.username = "";
  clean.password = "";
  clean.protocol = clean.protocol.replace(/^ws/, "http");
  const socketUrl = clean.href.replace(/^http/, "ws");
  return { url: clean.href, socketUrl, token, home, deviceFile: undefined };
}

function readUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text.includes("://") ? text : `http://${text}`);
  } catch (cause) {
    throw new CliError(`${text} is not an address: ${messageOf(cause)}`, {
      exitCode: EXIT.misused,
    });
  }
  if (/^(?:https?|wss?):$/.test(url.protocol)) return url;
  throw new CliError(`${text} is not the address of a server.`, {
    advice: "An address looks like http://127.0.0.1:18789",
    exitCode: EXIT.misused,
  });
}
