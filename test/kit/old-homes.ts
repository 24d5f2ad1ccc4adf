/** Homes that earlier versions made (scripts/make-home.ts), each to be opened as a copy. */
import { chmod, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

export const OLD_HOMES = fileURLToPath(new URL("../fixtures/homes/", import.meta.url));

export interface OldAnswers {
  readonly pollIds: readonly string[];
  readonly approvalIds: readonly string[];
  /** What that version answered. */
  readonly answers: object;
}

export async function listOldHomes(): Promise<readonly string[]> {
  const found = await readdir(OLD_HOMES, { withFileTypes: true });
  return found.flatMap((each) => (each.isDirectory() ? [each.name] : [])).toSorted();
}

/** Unpacks it there, as its version left it, and gives back what that version answered about it. */
export async function copyOldHome(name: string, home: string): Promise<OldAnswers> {
  // What tests expect of it is no part of a home: it quotes what may have to be erased there.
  const filter = (source: string): boolean => !source.endsWith("expected-state.json");
  await cp(join(OLD_HOMES, name), home, { recursive: true, filter });
  // A checkout knows no modes.
  for (const secret of ["token", "device-secret"]) await chmod(join(home, secret), 0o600);
  await writeFile(join(home, "atrium.db"), await unpack(home, "atrium.db.gz"), { mode: 0o600 });
  const answers = await unpack(home, "answers.json.gz");
  return JSON.parse(answers.toString("utf8")) as OldAnswers;
}

async function unpack(home: string, file: string): Promise<Buffer> {
  const content = gunzipSync(await readFile(join(home, file)));
  await rm(join(home, file));
  return content;
}
