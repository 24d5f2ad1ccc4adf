/**
 * What git is told about its surroundings: nothing of the server's or its user's, and settings of ours.
 *
 * The settings are a file because git believes in the owners of repositories only what a file says.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Timers } from "../../platform/timers.ts";
import type { Git } from "./git.ts";

export interface GitPlaces {
  /** Of everything below. */
  readonly root: string;
  readonly config: string;
  /** Where git looks for its user's settings and finds none. */
  readonly emptyHome: string;
  readonly stores: string;
  readonly worktrees: string;
  /** What programs keep that work in a worktree, by its name. */
  readonly programs: string;
  /** On its way out; on the same disk as what is moved here. */
  readonly trash: string;
  /** What is being delivered; nothing of it is needed by the next life. */
  readonly offers: string;
}

/** What everything here works with. */
export interface GitKit {
  readonly git: Git;
  readonly places: GitPlaces;
  readonly timers: Timers;
}

export function placesIn(root: string): GitPlaces {
  return {
    root,
    config: join(root, "gitconfig"),
    emptyHome: join(root, "empty"),
    stores: join(root, "stores"),
    worktrees: join(root, "worktrees"),
    programs: join(root, "programs"),
    trash: join(root, "trash"),
    offers: join(root, "offers"),
  };
}

export async function makePlaces(places: GitPlaces): Promise<void> {
  const { emptyHome, stores, worktrees, programs, trash, offers } = places;
  for (const folder of [emptyHome, stores, worktrees, programs, trash, offers]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
}

/** Of several nodes that work in one folder, whose process it is. */
export const LIFE_VARIABLE = "ATRIUM_LIFE";

/** Also how processes of an earlier life are known. */
export function gitEnvironment(
  places: GitPlaces,
  path: string,
  life?: string,
): Readonly<Record<string, string>> {
  return {
    ...(life !== undefined && { [LIFE_VARIABLE]: life }),
    PATH: path,
    HOME: places.emptyHome,
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: places.config,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    // A name is a name, whatever it begins with.
    GIT_LITERAL_PATHSPECS: "1",
    GIT_ALLOW_PROTOCOL: "file",
  };
}

/** What git and `gh` need to act for the person at whose wish something is delivered. */
const OF_A_PERSON = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "XDG_CONFIG_HOME",
  "SSH_AUTH_SOCK",
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_HOST",
  "GH_CONFIG_DIR",
];

export function personEnvironment(
  readEnv: (name: string) => string | undefined,
): Readonly<Record<string, string>> {
  const found = OF_A_PERSON.flatMap((name) => {
    const value = readEnv(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const quiet = { GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", GH_PROMPT_DISABLED: "1" };
  return { ...Object.fromEntries(found), ...quiet };
}

const SETTINGS = `[core]
	hooksPath = /dev/null
	fsmonitor = false
	fsync = loose-object,pack,reference
	fsyncMethod = batch
	bigFileThreshold = 2m
	quotePath = false
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol "ext"]
	allow = never
[commit]
	gpgSign = false
[init]
	defaultBranch = main
`;

/** `attached`: repositories that people named, whoever owns their files. */
export async function writeGitConfig(places: GitPlaces, attached: Iterable<string>): Promise<void> {
  const folders = [...attached].flatMap((path) => [path, join(path, ".git")]);
  const lines = folders.map((path) => `\tdirectory = ${quote(path)}\n`).join("");
  const draft = `${places.config}.${randomUUID()}`;
  await writeFile(draft, `${SETTINGS}[safe]\n${lines}`, { mode: 0o600 });
  await rename(draft, places.config);
}

function quote(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
