/**
 * Where hooks find the server: a file of the home that curl reads as its settings, so that the secret is in no command
 * line. It is there while the server is open; without it a hook does nothing.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "joined.curl";

export interface HookAddress {
  readonly url: string;
  readonly secret: string;
}

export function writeHookAddress(homeFolder: string, { url, secret }: HookAddress): void {
  const file = join(homeFolder, FILE);
  const draft = `${file}.${process.pid}`;
  // The first line tells a hook without any other program whether the server is gone.
  const lines = [
    `# ${process.pid}`,
    `url = "${url}"`,
    `header = "Authorization: Bearer ${secret}"`,
  ];
  writeFileSync(draft, `${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function removeHookAddress(homeFolder: string): void {
  rmSync(join(homeFolder, FILE), { force: true });
}
