/** What is asked for: the words of the command line, or what is piped in. */
import { text } from "node:stream/consumers";
import type { Terminal } from "../terminal/terminal.ts";
import { usageError } from "./read-args.ts";

export async function readPrompt(
  command: string,
  words: readonly string[],
  terminal: Terminal,
  example: string,
): Promise<string> {
  const given = words.join(" ").trim();
  const isPiped = given === "" && !terminal.hasPerson;
  const prompt = isPiped ? (await text(terminal.stdin)).trim() : given;
  if (prompt !== "") return prompt;
  throw usageError(command, `The prompt is empty. Say what you want: ${example}`);
}
