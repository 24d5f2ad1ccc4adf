/**
 * Where hooks find the server: files of the home that curl reads as its settings, so that the secret is in no command
 * line. They are there while the server is open; without them a hook does nothing.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** For sessions that have joined, and for hooks that only send signals. */
export type HookAddressFile = "joined.curl" | "signals.curl";

export interface HookAddress {
  readonly url: string;
  readonly secret: string;
}

export function writeHookAddress(
  homeFolder: string,
  name: HookAddressFile,
  { url, secret }: HookAddress,
): void {
  const file = join(homeFolder, name);
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

export function removeHookAddress(homeFolder: string, name: HookAddressFile): void {
  rmSync(join(homeFolder, name), { force: true });
}
