/** Where a program is: in the folders of PATH, else where systems have theirs. */
import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

const USUAL = ["/usr/bin", "/bin", "/usr/local/bin"];

export async function findProgram(name: string, path: string): Promise<string | undefined> {
  const folders = [...path.split(delimiter).filter(isAbsolute), ...USUAL];
  for (const folder of folders) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
