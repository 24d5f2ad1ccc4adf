/** What a program keeps in the home of its user and cannot work without: its login and its settings. */
import { join } from "node:path";
import { own } from "@atrium/wire";

/** One folder of its own. Everything in it that is not named stays hidden: what it keeps of other work is there, too. */
export interface HomeFolder {
  /** A variable that says where it is. */
  readonly variable?: string;
  /** Below HOME, where the variable is not set. */
  readonly folder: string;
  /** Texts that are copied: login and settings, which the program may write. */
  readonly files: readonly string[];
  /** Folders that are shown as they are, to be read: what extends it. */
  readonly folders?: readonly string[];
}

export type ProgramHome = readonly HomeFolder[];

/** One thing that is kept: where it is, and where it is below a home that is the program's own. */
export interface KeptPlace {
  readonly from: string;
  readonly to: string;
}

export function variablesOfHome(home: ProgramHome): readonly string[] {
  return home.flatMap(({ variable }) => variable ?? []);
}

type Env = Readonly<Record<string, string>>;

export function filesOfHome(home: ProgramHome, env: Env): readonly KeptPlace[] {
  return placesOf(home, env, ({ files }) => files);
}

export function foldersOfHome(home: ProgramHome, env: Env): readonly KeptPlace[] {
  return placesOf(home, env, ({ folders }) => folders ?? []);
}

function placesOf(
  home: ProgramHome,
  env: Env,
  namesOf: (folder: HomeFolder) => readonly string[],
): readonly KeptPlace[] {
  return home.flatMap((each) => {
    const base = baseOf(each, env);
    return namesOf(each).flatMap((name) =>
      base === undefined ? [] : [{ from: join(base, name), to: join(each.folder, name) }],
    );
  });
}

function baseOf({ variable, folder }: HomeFolder, env: Env): string | undefined {
  const moved = variable === undefined ? "" : (own(env, variable) ?? "");
  if (moved !== "") return moved;
  const home = env["HOME"] ?? "";
  return home === "" ? undefined : join(home, folder);
}
