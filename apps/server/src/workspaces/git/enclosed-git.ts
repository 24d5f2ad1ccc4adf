/**
 * Git where an agent may be at work: in a sandbox that has nothing but the worktree and the store.
 *
 * Git looks at a folder once and then reads or writes what is below it. Whoever swaps the folder for a
 * link in between would have the server keep a file of its own where agents can read it, or write one.
 * In here such a link leads nowhere: all that has a name known outside is the worktree itself, and the
 * store, which git has to write, has a new name each time.
 */
import { randomUUID } from "node:crypto";
import { realpath } from "node:fs/promises";
import type { CommandLaunch, Confinement } from "../../confinement/confinement.ts";
import { findProgram } from "../../confinement/find-program.ts";
import { isInside } from "../../confinement/place.ts";

/** What a git works on. */
export interface GitSite {
  readonly folder: string;
  readonly gitDir: string;
  /** Never the one that git itself uses. */
  readonly index: string;
  /** Of a worktree: agents may change its files meanwhile. Git's data and index are in it. */
  readonly store?: string;
}

export type GitLaunch =
  | { readonly ok: true; readonly launch: CommandLaunch }
  | { readonly ok: false; readonly reason: string };

/** Undefined where nothing is confined: agents then have the server's rights already. */
export type EncloseGit = (args: readonly string[], site: GitSite) => Promise<GitLaunch | undefined>;

export interface EnclosedGitOptions {
  readonly confinement: Pick<Confinement, "probe" | "enclose">;
  readonly program: string;
  /** As for every git; it names the settings. */
  readonly env: Readonly<Record<string, string>>;
  readonly config: string;
}

/** Of the environment, what means something else in a sandbox. */
const OUTSIDE = new Set(["PATH", "HOME"]);
/** Standard input, output and error come before it. */
export const FREE_DESCRIPTOR = 3;

export function createEncloseGit(options: EnclosedGitOptions): EncloseGit {
  const { confinement, config } = options;
  const kept = Object.entries(options.env).filter(([name]) => !OUTSIDE.has(name));
  let found: Promise<string | undefined> | undefined;
  return async (args, { folder, store, gitDir, index }) => {
    if (store === undefined || (await confinement.probe()).problem !== null) return undefined;
    const program = await (found ??= findGit(options));
    if (program === undefined) return { ok: false, reason: "There is no git." };
    const inside = `/store-${randomUUID()}`;
    const moved = (path: string): string => inside + path.slice(store.length);
    const place = await realpath(folder);
    const settings = { from: await realpath(config), to: config };
    const command = {
      argv: [program, `--git-dir=${moved(gitDir)}`, `--work-tree=${place}`, ...args],
      env: { ...Object.fromEntries(kept), GIT_INDEX_FILE: moved(index) },
      permit: () => Promise.resolve({ isAllowed: false, reason: "nobody is asked" } as const),
    };
    return confinement.enclose(command, {
      place: {
        folder: place,
        guardsGit: false,
        readable: isInside(program, "/usr") ? [settings] : [settings, { from: program }],
        writable: [{ from: await realpath(store), to: inside }],
      },
      descriptor: FREE_DESCRIPTOR,
      signal: new AbortController().signal,
    });
  };
}

async function findGit({ program, env }: EnclosedGitOptions): Promise<string | undefined> {
  const file = program.includes("/") ? program : await findProgram(program, env["PATH"] ?? "");
  return file === undefined ? undefined : realpath(file).catch(() => undefined);
}
