/** A key comes from standard input only: arguments are in the list of processes, and in the shell's history. */
import { text } from "node:stream/consumers";
import type { Environment } from "../../command-line/environment.ts";
import { usageError } from "../../command-line/read-args.ts";

export async function readKey(
  command: string,
  { terminal }: Pick<Environment, "terminal">,
): Promise<string> {
  if (terminal.hasPerson) terminal.err("Paste the key, then press Enter and Ctrl+D.\n");
  const value = (await text(terminal.stdin)).trim();
  if (value === "") throw usageError(command, "There was no key on standard input.");
  return value;
}
