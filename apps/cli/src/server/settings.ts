/**
 * Where a server started from here would live, found as the server finds it: flag, else environment, else
 * atrium.config.json, else default. Only what is needed to meet it is read; the server checks the rest.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
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
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly file: SettingsFile;
  /** As they are written: the server checks them. */
  readonly runtimes: Readonly<Record<string, unknown>>;
  readonly agents: readonly unknown[];
  readonly repositories: Readonly<Record<string, unknown>>;
}

export type SettingsFile =
  | { readonly state: "absent" }
  | { readonly state: "read"; readonly path: string }
  | { readonly state: "unreadable"; readonly path: string; readonly why: string };

const DEFAULT_PORT = 18_789;

export function readSettings(
  flags: Flags,
  { env, cwd }: Pick<Environment, "env" | "cwd">,
): ServerSettings {
  const flagOrVariable = (name: keyof Flags): string | undefined =>
    flags[name] ?? nonEmpty(own(env, `ATRIUM_${name.toUpperCase()}`));
  const early = resolve(cwd, flagOrVariable("home") ?? join(homedir(), ".atrium"));
  const named = flagOrVariable("config");
  const { file, values } = readFile(
    named === undefined
      ? [join(cwd, "atrium.config.json"), join(early, "atrium.config.json")]
      : [resolve(cwd, named)],
    named !== undefined,
  );
  const text = (name: string): string | undefined => {
    const value = own(values, name);
    return typeof value === "string" ? value : undefined;
  };
  const home = flagOrVariable("home") ?? text("home");
  const port = Number(flagOrVariable("port") ?? values["port"] ?? DEFAULT_PORT);
  return {
    home: home === undefined ? early : resolve(cwd, home),
    host: flagOrVariable("host") ?? text("host") ?? "127.0.0.1",
    port: Number.isInteger(port) ? port : DEFAULT_PORT,
    token: nonEmpty(env["ATRIUM_TOKEN"]) ?? text("token"),
    file,
    runtimes: isRecord(values["runtimes"]) ? values["runtimes"] : {},
    agents: Array.isArray(values["agents"]) ? values["agents"] : [],
    repositories: isRecord(values["repositories"]) ? values["repositories"] : {},
  };
}

interface SettingsRead {
  readonly file: SettingsFile;
  readonly values: Readonly<Record<string, unknown>>;
}

function readFile(places: readonly string[], isNamed: boolean): SettingsRead {
  for (const path of places) {
    try {
      const values: unknown = JSON.parse(readFileSync(path, "utf8"));
      if (isRecord(values)) return { file: { state: "read", path }, values };
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
