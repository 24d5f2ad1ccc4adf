/**
 * Which server is meant: the one named by flag or environment, else the one that holds the home folder.
 *
 * A token that was read from a file is for servers on this machine; it is never sent to another. A home that only the
 * working folder names is held by nobody until it is seen to be the user's own.
 */
import { join } from "node:path";
import { CliError, EXIT, messageOf } from "../command-line/cli-error.ts";
import type { Environment } from "../command-line/environment.ts";
import { shortPath } from "../terminal/measures.ts";
import { explainDistrust } from "./folder-home.ts";
import { isProcess, readHolder, readToken, type Holder, type Pointers } from "./home-files.ts";
import { probeServer } from "./probe-server.ts";
import { nonEmpty, readSettings, type Flags, type ServerSettings } from "./settings.ts";
import { isLoopback, isThisMachine } from "./this-machine.ts";

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
  /** Whether that home may say where other files of the server are. */
  readonly pointers: Pointers;
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
      /** Why whoever holds it is not asked. */
      readonly distrust: string | undefined;
    };

/** `own`: as if nothing were in the working folder. */
export async function lookForServer(
  flags: ServerFlags,
  environment: Pick<Environment, "env" | "cwd">,
  which: "all" | "own" = "all",
): Promise<ServerLocation> {
  const settings = readSettings(flags, environment, which);
  const { home, chosenHome } = settings;
  const distrust = home === chosenHome ? undefined : explainDistrust(home);
  const named = flags.url ?? nonEmpty(environment.env["ATRIUM_URL"]);
  if (named !== undefined) {
    const url = readUrl(named);
    const inUrl = nonEmpty(new URLSearchParams(url.hash.slice(1)).get("token") ?? undefined);
    const token = flags.token ?? inUrl ?? settings.token ?? tokenFor(url, settings, distrust);
    const place = placeAt(url, token, undefined);
    if (isLoopback(url.hostname)) return { state: "named", place, settings };
    const deviceFile = join(chosenHome, "cli-device.json");
    return { state: "named", place: { ...place, deviceFile }, settings };
  }
  const holder = distrust === undefined ? readHolder(home) : undefined;
  const url = holder === undefined ? undefined : await addressOf(holder);
  if (holder === undefined || url === undefined) {
    return { state: "not running", settings, holder, distrust };
  }
  const token = flags.token ?? settings.token ?? tokenFor(url, settings, distrust);
  const place = { ...placeAt(url, token, home), pointers: pointersOf(settings) };
  return { state: "running", place, settings, holder };
}

function pointersOf({ home, chosenHome }: ServerSettings): Pointers {
  return home === chosenHome ? "followed" : "refused";
}

function tokenFor(
  { hostname }: URL,
  settings: ServerSettings,
  distrust: string | undefined,
): string | undefined {
  if (!isThisMachine(hostname)) return undefined;
  if (settings.fileToken !== undefined) return settings.fileToken;
  if (distrust !== undefined) return undefined;
  return readToken(settings.home, pointersOf(settings));
}

/** The process alone is no proof: the holder of a home also answers at its address, or at least accepts connections. */
async function addressOf(holder: Holder): Promise<URL | undefined> {
  const url = URL.parse(holder.url);
  if (url?.protocol !== "http:" || !isProcess(holder.pid)) return undefined;
  const result = await probeServer(url.href);
  return result === "atrium" || result === "silent" ? url : undefined;
}

export async function findServer(
  flags: ServerFlags,
  environment: Pick<Environment, "env" | "cwd">,
  which: "all" | "own" = "all",
): Promise<ServerPlace> {
  const found = await lookForServer(flags, environment, which);
  if (found.state !== "not running") return found.place;
  throw serverNotRunning(found);
}

/** For what works in every folder from then on: the folder that it is done in may not say which home is meant. */
export function readChosenHome(
  flags: Flags,
  environment: Pick<Environment, "env" | "cwd">,
): string {
  const { home, chosenHome } = readSettings(flags, environment);
  if (home === chosenHome) return home;
  throw new CliError(`The settings of this folder say that home is ${shortPath(home)}.`, {
    advice: `Name the home that you mean: --home ${shortPath(home)}, or --home ${shortPath(chosenHome)}`,
  });
}

type NotRunning = Extract<ServerLocation, { readonly state: "not running" }>;

export function serverNotRunning(found: NotRunning): CliError {
  const { message, advice } = explainNotRunning(found);
  return new CliError(`${message}.`, { advice });
}

export function explainNotRunning({ settings, distrust }: NotRunning): {
  readonly message: string;
  readonly advice: string;
} {
  const home = shortPath(settings.home);
  if (distrust === undefined) {
    return { message: `No server is running for ${home}`, advice: "To start one, run: atrium up" };
  }
  return {
    message: `${home} is home by the settings of this folder, and it is not used: ${distrust}`,
    advice: `If it is yours, name it: --home ${home}`,
  };
}

function placeAt(url: URL, token: string | undefined, home: string | undefined): ServerPlace {
  const clean = new URL(url);
  clean.hash = "";
  clean.username = "";
  clean.password = "";
  clean.protocol = clean.protocol.replace(/^ws/, "http");
  const socketUrl = clean.href.replace(/^http/, "ws");
  const common = { url: clean.href, socketUrl, token, home };
  return { ...common, pointers: "refused", deviceFile: undefined };
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
