/** A repository of a person, made with the real git. */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const IDENTITY = ["-c", "user.name=Ann", "-c", "user.email=ann@example.invalid"];

/** With these files in its one commit. */
export async function makeRepository(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-C", folder, ...IDENTITY, ...args], { stdio: "ignore" });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "First");
  return folder;
}
