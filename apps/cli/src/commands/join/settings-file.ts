/** Files of other programs' settings: read if they are there, and never half written. */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { isAbsence } from "../../server/settings.ts";

const NEW_FILE_MODE = 0o600;

/** Null: there is no such file. */
export function readBytes(path: string): Buffer | null {
  return ifThere(() => readFileSync(path));
}

export function readText(path: string): string | null {
  return readBytes(path)?.toString("utf8") ?? null;
}

/** With the rights that it had. A link into somebody's dotfiles stays one: the file there is what changes. */
export function replaceFile(path: string, content: string | Buffer): void {
  const file = ifThere(() => realpathSync(path)) ?? path;
  const mode = ifThere(() => statSync(file).mode & 0o777) ?? NEW_FILE_MODE;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.atrium-${process.pid}`;
  writeFileSync(fresh, content, { mode });
  chmodSync(fresh, mode);
  renameSync(fresh, file);
}

/** Null: there is no such file or folder. */
export function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (cause) {
    if (isAbsence(cause)) return null;
    throw cause;
  }
}
