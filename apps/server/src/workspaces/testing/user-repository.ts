/** A person's repository, made with the real git as that person would, and everything in it to compare. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const PERSON = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

/** Fails the test when git does. */
export function git(cwd: string, ...args: readonly string[]): string {
  const settings = ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"];
  const { status, stdout, stderr } = spawnSync("git", [...settings, ...args], {
    cwd,
    env: PERSON,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A repository with one commit. */
export function makeRepository(folder: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  write(folder, files);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "First");
  return folder;
}

/** Every file, link and folder in it, its mode and the digest of its content. */
export function contentsOf(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const stats = lstatSync(path);
    const mode = stats.mode.toString(8);
    if (stats.isDirectory()) {
      found.set(path.slice(folder.length), mode);
      for (const name of readdirSync(path)) visit(join(path, name));
      return;
    }
    const content = stats.isSymbolicLink()
      ? readlinkSync(path)
      : stats.isFile()
        ? createHash("sha256").update(readFileSync(path)).digest("hex")
        : "special";
    found.set(path.slice(folder.length), `${mode} ${content}`);
  };
  visit(folder);
  return found;
}
