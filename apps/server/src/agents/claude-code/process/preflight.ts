/** What can be known to fail before Claude Code is started, in words that say what to do. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

export async function preflight(
  command: string,
  cwd: string,
  path: string | undefined,
): Promise<string | undefined> {
  const isFolder = await stat(cwd).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    return `Claude Code cannot work in ${cwd}: there is no such folder. Make it, or correct "cwd" of the runtime.`;
  }
  const places = command.includes("/")
    ? [command]
    : (path ?? "").split(delimiter).map((folder) => join(folder, command));
  const found = await Promise.all(
    places.map((place) =>
      access(place, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (found.includes(true)) return undefined;
  const [there] = await Promise.all(places.map(isFile)).then((files) =>
    places.filter((_place, at) => files[at]),
  );
  if (there !== undefined) {
    return `Claude Code may not be run: ${there} is not executable. Make it so (chmod +x), or correct "command" of the runtime.`;
  }
  return `Claude Code is not installed here: there is no program "${command}". Install it (npm install -g @anthropic-ai/claude-code), or put its path in "command" of the runtime.`;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
