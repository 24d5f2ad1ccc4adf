/**
 * Copies of a user's files for a program that is confined, in a home of its own. They are brought there again when the
 * user's file has changed, else they stay as the program has left them: it renews its login, and keeps settings.
 *
 * Whoever works in that home is not trusted: nothing is written through a link, and nothing of it is read. The record of
 * what was copied is beside it, where no agent reaches.
 */
import { createHash } from "node:crypto";
import { lstat, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeInside, writeInside } from "../../../platform/folder-files.ts";
import { parseFields, textIn, type Fields } from "../../turn/json-fields.ts";
import type { KeptPlace } from "./program-home.ts";

export interface CopiedText {
  readonly from: string;
  readonly text: string;
}

/** Settings are texts of a few kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;
const PRIVATE = 0o600;

/** What is no longer among the files is taken away again. Returns those that are there. */
export async function copyFiles(
  home: string,
  files: readonly KeptPlace[],
): Promise<readonly CopiedText[]> {
  const recordFile = `${home}.json`;
  const before = await readRecord(recordFile);
  const after = new Map<string, string>();
  const texts: CopiedText[] = [];
  for (const { from, to } of files) {
    const bytes = await readSource(from);
    if (bytes === undefined) continue;
    const hash = createHash("sha256").update(bytes).digest("hex");
    after.set(to, hash);
    texts.push({ from, text: bytes.toString("utf8") });
    const isThere = textIn(before, to) === hash && (await exists(join(home, to)));
    if (!isThere) await writeInside(home, to, bytes);
  }
  for (const to of Object.keys(before)) if (!after.has(to)) await removeInside(home, to);
  await writeFile(recordFile, JSON.stringify(Object.fromEntries(after)), { mode: PRIVATE });
  return texts;
}

async function readRecord(file: string): Promise<Fields> {
  return parseFields(await readFile(file, "utf8").catch(() => "")) ?? {};
}

async function readSource(file: string): Promise<Buffer | undefined> {
  const about = await stat(file).catch(() => undefined);
  if (about?.isFile() !== true || about.size > MAX_BYTES) return undefined;
  return readFile(file).catch(() => undefined);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
