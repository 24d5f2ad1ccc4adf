/** Where a program is: the first of its name in the folders of PATH that may be run, as a runtime would find it. */
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

export interface LocatedProgram {
  readonly path: string;
  /** Changes when the program behind the path is another one. */
  readonly identity: string;
  /** False: there is such a file, and it may not be run. */
  readonly isRunnable: boolean;
}

export async function locateProgram(
  name: string,
  path: string,
): Promise<LocatedProgram | undefined> {
  let blocked: LocatedProgram | undefined;
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const found = await lookAt(join(folder, name));
    if (found?.isRunnable === true) return found;
    blocked ??= found;
  }
  return blocked;
}

async function lookAt(path: string): Promise<LocatedProgram | undefined> {
  try {
    const file = await realpath(path);
    const facts = await stat(file);
    // Folders may be "run", too.
    if (!facts.isFile()) return undefined;
    const identity = JSON.stringify([file, facts.mtimeMs, facts.size, facts.ino]);
    return { path, identity, isRunnable: await isRunnable(file) };
  } catch {
    return undefined;
  }
}

async function isRunnable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
