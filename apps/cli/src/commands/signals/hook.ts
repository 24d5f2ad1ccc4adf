/**
 * `atrium signals hook`: a command for Claude Code's hooks. Reads one hook on stdin and posts what it says. It writes
 * nothing to stdout and always exits with 0, because Claude Code heeds both; what went wrong is on stderr.
 */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { fromClaudeHook } from "@atrium/client";
import { EXIT, messageOf } from "../../complaint.ts";
import { readArgs, SERVER_OPTIONS } from "../../read-args.ts";
import { findServer } from "../../server/find-server.ts";
import type { Surroundings } from "../../surroundings.ts";
import { plainText } from "../../terminal/plain-text.ts";
import { sendSignals } from "./send-signals.ts";

const SOURCE = "adapter:claude-code";
/** Claude waits for its hooks. */
const TIMEOUT_MS = 2_000;

export async function hook(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal, now } = surroundings;
  try {
    const { values } = readArgs(args, { ...SERVER_OPTIONS, source: { type: "string" } });
    const body: unknown = JSON.parse(await text(terminal.stdin));
    const { source = SOURCE } = values;
    const signals = fromClaudeHook(body, { source, newId: () => randomUUID(), now });
    if (signals.length === 0) return EXIT.ok;
    const lines = signals.map((signal) => JSON.stringify(signal));
    const once = { timeoutMs: TIMEOUT_MS, tries: 1 };
    const unwanted = await sendSignals(findServer(values, surroundings), lines, once);
    for (const problem of unwanted) terminal.err(`atrium: a signal was not taken: ${problem}\n`);
  } catch (cause) {
    terminal.err(`atrium: ${plainText(messageOf(cause))}\n`);
  }
  return EXIT.ok;
}
