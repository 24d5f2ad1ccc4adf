/**
 * Where a log is, as `--from` and `--to` name it: `sqlite` is the one in the home, a path is a log file, a node's copy
 * or a home, and `nats://…` are servers.
 */
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError } from "../platform/config-error.ts";
import type { NatsSettings } from "../settings/cluster-settings.ts";
import { readConfig, type ProcessInputs } from "../settings/read-config.ts";

export type LogPlace =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "servers"; readonly nats: NatsSettings };

export const LOG_FILE = "atrium.db";
export const COPY_FILE = "chain.db";
const ADDRESS = /^[a-z]+:\/\//;

/** Settings about servers are those of whichever place has some. */
export function readPlaces(
  texts: readonly [from: string, to: string],
  inputs: ProcessInputs,
): readonly [from: LogPlace, to: LogPlace] {
  const servers = texts.find((text) => ADDRESS.test(text));
  const args = servers === undefined ? inputs.args : [...inputs.args, "--log", servers];
  const { home, nats } = readConfig({ ...inputs, args });
  const placeOf = (text: string): LogPlace => {
    if (text === servers && nats !== undefined) return { kind: "servers", nats };
    if (!ADDRESS.test(text)) return { kind: "file", file: fileOf(text, home, inputs.cwd) };
    throw new ConfigError(
      "--from and --to are both servers; copy a stopped node's chain.db to the new stream instead (--from HOME/chain.db)",
    );
  };
  const [from, to] = texts;
  return [placeOf(from), placeOf(to)];
}

function fileOf(text: string, home: string, cwd: string): string {
  if (text === "sqlite") return join(home, LOG_FILE);
  const path = resolve(cwd, text);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? fileIn(path) : path;
}

function fileIn(folder: string): string {
  const [log, copy] = [join(folder, LOG_FILE), join(folder, COPY_FILE)];
  return existsSync(copy) && !existsSync(log) ? copy : log;
}
