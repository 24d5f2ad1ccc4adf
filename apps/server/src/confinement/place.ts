/**
 * The place of a command: the folder it writes in, and what else it may read. An agent may have changed
 * everything in the folder, so nothing in there is followed.
 */
import type { Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";

export interface ShownFolder {
  /** On this machine. */
  readonly from: string;
  /** Where the command sees it; left out: at the same path. */
  readonly to?: string;
}

export interface CommandPlace {
  /** Read and written, at its real path. */
  readonly folder: string;
  /** Git's data, which the command may read. */
  readonly store?: string | null;
  /** Dependencies, installations. */
  readonly readable?: readonly ShownFolder[];
  /** What a program of ours or of an agent writes besides; never a folder that an agent chose. */
  readonly writable?: readonly ShownFolder[];
  /** False for a program of ours that makes nothing of what stands there; true unless it is said. */
  readonly guardsGit?: boolean;
}

interface CommandTexts {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A place whose paths were checked. */
export interface CheckedCommandPlace {
  readonly folder: string;
  /** Whether it has a `.git`, which stays as it is. */
  readonly hasGit: boolean;
  readonly store: string | null;
  readonly readable: readonly Required<ShownFolder>[];
  readonly writable: readonly Required<ShownFolder>[];
}

export type CommandPlaceCheck =
  | { readonly ok: true; readonly place: CheckedCommandPlace }
  /** For a person. */
  | { readonly ok: false; readonly reason: string };

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** What is told with zero bytes between must have none. */
function hasZeroByte(command: CommandTexts, place: CommandPlace): boolean {
  const { folder, store, readable = [], writable = [] } = place;
  const shown = [...readable, ...writable].flatMap(({ from, to = from }) => [from, to]);
  const paths = [folder, store ?? "", ...shown];
  const texts = [...command.argv, ...Object.entries(command.env ?? {}).flat(), ...paths];
  return texts.some((text) => text.includes("\0"));
}

/** `secret`: folders that no command may see as a whole. */
export async function checkPlace(
  command: CommandTexts,
  place: CommandPlace,
  secret: readonly string[],
): Promise<CommandPlaceCheck> {
  if (hasZeroByte(command, place)) return refused("A command must not have a zero byte.");
  const { folder, store = null, readable = [], writable = [], guardsGit = true } = place;
  const [about, git] = await Promise.all([look(folder), look(join(folder, ".git"))]);
  if (about?.isDirectory() !== true) return refused(`The folder ${folder} does not exist.`);
  const others = [...readable, ...writable].map(({ from }) => from);
  const paths = [folder, ...(store === null ? [] : [store]), ...others];
  for (const path of paths) {
    const problem = await pathProblem(path);
    if (problem !== undefined) return refused(problem);
    if (path !== folder) continue;
    const hidden = secret.find((each) => isInside(each, path));
    if (hidden !== undefined) {
      return refused(`The folder ${path} holds ${hidden}, which agents must not reach.`);
    }
  }
  // Git's own are a file in a worktree and a folder elsewhere; a link could lead anywhere.
  const hasGit = guardsGit && git !== undefined;
  if (hasGit && !git.isFile() && !git.isDirectory()) {
    return refused(`${join(folder, ".git")} is neither a file nor a folder.`);
  }
  const written = writable.map(({ from, to = from }) => ({ from, to }));
  const seen: Required<ShownFolder>[] = [];
  for (const { from, to = from } of readable) {
    const problem = await targetProblem(to, writtenFolder(to, folder, written));
    if (problem !== undefined) return refused(problem);
    seen.push({ from, to });
  }
  return { ok: true, place: { folder, hasGit, store, readable: seen, writable: written } };
}

async function pathProblem(path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return `${path} is not an absolute path.`;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return `${path} does not exist.`;
  return real === path ? undefined : `${path} is a link, or in a folder that is one; use ${real}.`;
}

/** What an agent may have written where this is shown; undefined: nothing. */
function writtenFolder(
  to: string,
  folder: string,
  writable: readonly Required<ShownFolder>[],
): Required<ShownFolder> | undefined {
  const written = [...writable, { from: folder, to: folder }];
  return written.find((each) => isInside(to, each.to));
}

/** Nothing is mounted through a link that an agent may have made. */
async function targetProblem(
  to: string,
  written: Required<ShownFolder> | undefined,
): Promise<string | undefined> {
  if (written === undefined) return undefined;
  const parts = to.slice(written.to.length).split(sep).filter(Boolean);
  if (parts.includes("..")) return `${to} is not a plain path.`;
  let path = written.from;
  for (const part of parts) {
    path = join(path, part);
    const about = await look(path);
    if (about === undefined) return undefined;
    if (!about.isDirectory()) return `${path} is not a folder, so ${to} cannot be shown there.`;
  }
  return undefined;
}

async function look(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

function refused(reason: string): CommandPlaceCheck {
  return { ok: false, reason };
}
