/** A folder for a command, a server's home beside it, and what a command must not touch. */
import { mkdir, mkdtempDisposable, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command, CommandResult, Confinement } from "../confinement.ts";
import { limitsWith, type CommandLimits } from "../limits.ts";
import type { CommandPlace } from "../place.ts";

export interface ConfinementFolders extends AsyncDisposable {
  readonly root: string;
  readonly folder: string;
  readonly store: string;
  readonly other: string;
  readonly home: string;
  /** What would tell that a command got out; by file. */
  guarded(): Promise<ReadonlyMap<string, string>>;
}

export async function openFolders(): Promise<ConfinementFolders> {
  const made = await mkdtempDisposable(join(await realpath(tmpdir()), "atrium-confine-"));
  const root = made.path;
  const [folder, store, other, home] = ["work", "store", "other", "home"].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  for (const path of [folder, store, other, home]) await mkdir(path, { mode: 0o700 });
  const files = [
    [join(folder, ".git"), `gitdir: ${store}\n`],
    [join(store, "config"), "[core]\n"],
    [join(other, "secret"), "of another task\n"],
    [join(home, "token"), "server-token-1234\n"],
  ] as const;
  for (const [file, text] of files) await writeFile(file, text, { mode: 0o600 });
  return {
    root,
    folder,
    store,
    other,
    home,
    async guarded() {
      const texts = files.map(async ([file]) => [file, await readFile(file, "utf8")] as const);
      return new Map(await Promise.all(texts));
    },
    [Symbol.asyncDispose]: () => made.remove(),
  };
}

export interface Shell {
  (script: string, more?: ShellOptions): Promise<CommandResult>;
}

export interface ShellOptions extends Partial<Command> {
  readonly limits?: Partial<CommandLimits>;
  readonly signal?: AbortSignal;
  readonly place?: Partial<CommandPlace>;
}

export function shellIn(confinement: Confinement, place: CommandPlace): Shell {
  return (script, { limits, signal, place: changes, ...command } = {}) =>
    confinement.run(
      {
        argv: ["/bin/sh", "-c", script],
        permit: () => Promise.resolve({ isAllowed: true }),
        ...command,
      },
      { ...place, ...changes },
      limitsWith(limits),
      signal ?? new AbortController().signal,
    );
}
