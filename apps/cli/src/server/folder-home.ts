/**
 * A home that only the working folder names. The folder may be a stranger's repository, so the home is used only when
 * what is in it is plainly the user's own, as a server of theirs writes it.
 */
import { lstatSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { readHolder } from "./home-files.ts";
import { isAbsence } from "./settings.ts";
import { isThisMachine } from "./this-machine.ts";

const WRITABLE_BY_OTHERS = 0o022;
const FOR_OTHERS = 0o077;

/** Undefined: it may be used, or there is nothing in it to use. */
export function explainDistrust(home: string): string | undefined {
  const folder = lookAt(statSync, home);
  const note = lookAt(lstatSync, join(home, "holder.json"));
  if (folder === undefined || note === undefined) return undefined;
  // Where there are no owners, there are no modes either.
  const user = process.getuid?.();
  if (user !== undefined) {
    if (folder.uid !== user) return "it belongs to another user";
    if ((folder.mode & WRITABLE_BY_OTHERS) !== 0) return "other users can write to it";
    // No checkout makes such a file with the usual umask; servers always do.
    const isOwn = note.uid === user && (note.mode & FOR_OTHERS) === 0;
    if (!isOwn) return "its holder.json was not written by a server of yours";
  }
  if (!note.isFile()) return "its holder.json is a link";
  const url = URL.parse(readHolder(home)?.url ?? "");
  if (url === null) return undefined;
  return isThisMachine(url.hostname) ? undefined : `its server is said to be at ${url.host}`;
}

function lookAt(look: (path: string) => Stats, path: string): Stats | undefined {
  try {
    return look(path);
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}
