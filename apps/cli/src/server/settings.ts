/**
 * Where a server started from here would live, found as the server finds it: flag, else environment, else
 * atrium.config.json, else default. Only what is needed to meet it is read; the server checks the rest.
 *
 * The working folder may be a stranger's repository, so what only it says is marked, and can be left out.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { own } from "@atrium/wire";
import { messageOf } from "../command-line/cli-error.ts";
import type { Environment } from "../command-line/environment.ts";

export interface Flags {
  readonly home?: string | undefined;
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
}

export interface ServerSettings {
  readonly home: string;
  /** The same without what only the working folder says. */
  readonly chosenHome: string;
  readonly host: string;
  readonly port: number;
  /** Of the environment. */
  readonly token: string | undefined;
  /** Of the settings file. */
  readonly fileToken: string | undefined;
  readonly file: SettingsFile;
  /** As they are written: the server checks them. */
  readonly runtimes: Readonly<Record<string, unknown>>;
  readonly agents: readonly unknown[];
  readonly repositories: Readonly<Record<string, unknown>>;
}

export type SettingsFile =
  | { readonly state: "absent" }
  | { readonly state: "read"; readonly path: string; readonly isOfFolder: boolean }
  | { readonly state: "unreadable"; readonly path: string; readonly why: string };

const DEFAULT_PORT = 18_789;

/** `own`: as if nothing were in the working folder. */
export function readSettings(
  flags: Flags,
  { env, cwd }: Pick<Environment, "env" | "cwd">,
  which: "all" | "own" = "all",
): ServerSettings {
  const givenPath = (name: "home" | "config"): GivenPath | undefined => {
    const { [name]: flag } = flags;
    if (flag !== undefined) return { path: resolve(cwd, flag), isOfFolder: false };
    const text = nonEmpty(own(env, `ATRIUM_${name.toUpperCase()}`));
    // The same words mean another place in every folder.
    return text === undefined ? text : { path: resolve(cwd, text), isOfFolder: !isAbsolute(text) };
  };
  const isMeant = (given: GivenPath | undefined): given is GivenPath =>
    given !== undefined && (which === "all" || !given.isOfFolder);
  const usual = { path: join(homedir(), ".atrium"), isOfFolder: false };
  const given = [givenPath("home")].find(isMeant);
  const early = given ?? usual;
  const named = [givenPath("config")].find(isMeant);
  const { file, values } = readFile(
    named === undefined ? usualFiles(cwd, early).filter(isMeant) : [named],
    named !== undefined,
  );
  const text = (name: string): string | undefined => {
    const value = own(values, name);
    return typeof value === "string" ? value : undefined;
  };
  const variable = (name: "host" | "port"): string | undefined =>
    flags[name] ?? nonEmpty(own(env, `ATRIUM_${name.toUpperCase()}`));
  const inFile = text("home");
  const isFileOfFolder = file.state === "read" && file.isOfFolder;
  const home =
    given ??
    (inFile === undefined ? usual : { path: resolve(cwd, inFile), isOfFolder: isFileOfFolder });
  const port = Number(variable("port") ?? values["port"] ?? DEFAULT_PORT);
  return {
    home: home.path,
    chosenHome: home.isOfFolder ? usual.path : home.path,
    host: variable("host") ?? text("host") ?? "127.0.0.1",
    port: Number.isInteger(port) ? port : DEFAULT_PORT,
    token: nonEmpty(env["ATRIUM_TOKEN"]),
    fileToken: text("token"),
    file,
    runtimes: isRecord(values["runtimes"]) ? values["runtimes"] : {},
    agents: Array.isArray(values["agents"]) ? values["agents"] : [],
    repositories: isRecord(values["repositories"]) ? values["repositories"] : {},
  };
}

interface GivenPath {
  readonly path: string;
  /** Only the working folder says so. */
  readonly isOfFolder: boolean;
}

function usualFiles(cwd: string, home: GivenPath): readonly GivenPath[] {
  const isAtHome = resolve(cwd) === home.path && !home.isOfFolder;
  return [
    { path: join(cwd, "atrium.config.json"), isOfFolder: !isAtHome },
    { path: join(home.path, "atrium.config.json"), isOfFolder: home.isOfFolder },
  ];
}

interface SettingsRead {
  readonly file: SettingsFile;
  readonly values: Readonly<Record<string, unknown>>;
}

function readFile(places: readonly GivenPath[], isNamed: boolean): SettingsRead {
  for (const { path, isOfFolder } of places) {
    try {
      const values: unknown = JSON.parse(readFileSync(path, "utf8"));
      if (isRecord(values)) return { file: { state: "read", path, isOfFolder }, values };
      return { file: { state: "unreadable", path, why: "not a JSON object" }, values: {} };
    } catch (cause) {
      if (!isNamed && isAbsence(cause)) continue;
      return { file: { state: "unreadable", path, why: messageOf(cause) }, values: {} };
    }
  }
  return { file: { state: "absent" }, values: {} };
}

export function isAbsence(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause)) return false;
  return cause.code === "ENOENT" || cause.code === "ENOTDIR";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
