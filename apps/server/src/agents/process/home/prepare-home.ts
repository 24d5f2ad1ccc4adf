/**
 * The home of a program that works in a workspace, in its sandbox: a folder of its own beside the workspace, which goes
 * with it. So the program finds its sessions again after a crash. Its login and settings are copied there, and what
 * extends it is shown there to be read; its user's own files it never writes.
 *
 * The same agent's commands can read all of that. Nothing else of the user's home is there.
 */
import { mkdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { own } from "@atrium/wire";
import { isInside, type ShownFolder } from "../../../confinement/place.ts";
import { copyFiles } from "./copied-files.ts";
import type { KnownLogins } from "./known-logins.ts";
import {
  filesOfHome,
  foldersOfHome,
  variablesOfHome,
  type KeptPlace,
  type ProgramHome,
} from "./program-home.ts";
import type { ShownLogin } from "./shown-login.ts";

/** What a runtime says of its program. */
export interface HomeRequest {
  /** Of its runtime; several work in one workspace. */
  readonly name: string;
  /** Undefined: nobody knows what it keeps. */
  readonly keeps: ProgramHome | undefined;
  readonly logins: KnownLogins;
}

interface HomePlace {
  /** For what programs keep of this workspace. */
  readonly programs: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it has its user's login and settings. */
  readonly hasLogin: boolean;
  /** What else it is shown, as real paths. */
  readonly readable: readonly string[];
}

export interface PreparedHome {
  readonly login: ShownLogin;
  readonly readable: readonly ShownFolder[];
  readonly writable: readonly ShownFolder[];
  readonly sandboxEnv: Readonly<Record<string, string | null>>;
}

/** Not below /tmp, where Codex installs no helpers. */
const HOME_IN_SANDBOX = "/run/atrium-agent";
const PRIVATE = 0o700;

export async function prepareHome(
  { name, keeps, logins }: HomeRequest,
  { programs, env, hasLogin, readable }: HomePlace,
): Promise<PreparedHome> {
  const folder = join(programs, name);
  await mkdir(folder, { recursive: true, mode: PRIVATE });
  const shown = hasLogin ? (keeps ?? []) : [];
  const files = filesOfHome(shown, env);
  const copied = await copyFiles(folder, files);
  logins.learn(copied);
  // What it keeps is in its home there, unless it is shown where it is.
  const isShown = (variable: string): boolean =>
    !hasLogin && readable.some((each) => isInside(own(env, variable) ?? "", each));
  const moved = variablesOfHome(keeps ?? []).filter((variable) => !isShown(variable));
  return {
    login: loginOf(
      keeps,
      hasLogin,
      copied.map(({ from }) => from),
      files,
    ),
    readable: await foldersThere(foldersOfHome(shown, env)),
    writable: [{ from: await realpath(folder), to: HOME_IN_SANDBOX }],
    sandboxEnv: {
      HOME: HOME_IN_SANDBOX,
      ...Object.fromEntries(moved.map((variable) => [variable, null])),
    },
  };
}

function loginOf(
  keeps: ProgramHome | undefined,
  hasLogin: boolean,
  files: readonly string[],
  looked: readonly KeptPlace[],
): ShownLogin {
  if (keeps === undefined) return { type: "unknown" };
  if (!hasLogin) return { type: "off" };
  return { type: "copied", files, looked: looked.map(({ from }) => from) };
}

async function foldersThere(places: readonly KeptPlace[]): Promise<readonly ShownFolder[]> {
  const found = places.map(async ({ from, to }) => {
    const real = await realpath(from).catch(() => undefined);
    const about = real === undefined ? undefined : await stat(real).catch(() => undefined);
    if (real === undefined || about?.isDirectory() !== true) return [];
    return [{ from: real, to: join(HOME_IN_SANDBOX, to) }];
  });
  return (await Promise.all(found)).flat();
}
