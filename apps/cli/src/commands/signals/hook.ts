/**
 * `atrium signals hook`: a command for hooks of Claude Code and programs with the same. Reads one hook on stdin and
 * posts what it says. It writes nothing to stdout and always exits with 0, because Claude Code acts on both; errors go
 * to stderr. It runs in whatever folder the program was started, so no settings are read from there.
 */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { fromClaudeHook, HOOK_AGENTS } from "@atrium/client";
import { CliError, EXIT, messageOf } from "../../command-line/cli-error.ts";
import { command, type Command } from "../../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../../command-line/read-args.ts";
import { findServer } from "../../server/find-server.ts";
import { plainText } from "../../terminal/plain-text.ts";
import { sendSignals } from "./send-signals.ts";

/** Claude waits for its hooks. */
const TIMEOUT_MS = 2_000;

const rawHook = command({
  name: "signals hook",
  calls: [["signals hook", "send a Claude Code hook from stdin as signals; never blocks the hook"]],
  options: {
    from: {
      type: "string",
      takes: "NAME",
      help: `whose hook: ${[...HOOK_AGENTS.keys()].join(", ")}; default claude-code`,
    },
    source: { type: "string", takes: "NAME", help: "the producer; default adapter:NAME" },
    ...SERVER_OPTIONS,
  },
  examples: [
    `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"atrium signals hook"}]}]}}`,
  ],
  async run({ values }, environment) {
    const { terminal, now } = environment;
    const input = await text(terminal.stdin);
    if (input.trim() === "") throw new CliError("stdin is empty. Pipe a hook's JSON into it.");
    const body: unknown = JSON.parse(input);
    const { from = "claude-code", source = `adapter:${from}` } = values;
    const prefix = HOOK_AGENTS.get(from);
    if (prefix === undefined) throw usageError("signals hook", `Unknown program: --from ${from}`);
    const signals = fromClaudeHook(body, { source, newId: () => randomUUID(), now }, prefix);
    if (signals.length === 0) return EXIT.ok;
    const lines = signals.map((signal) => JSON.stringify(signal));
    const once = { timeoutMs: TIMEOUT_MS, tries: 1 };
    const place = await findServer(values, environment, "own");
    const unwanted = await sendSignals(place, lines, once);
    for (const problem of unwanted) terminal.err(`atrium: a signal was rejected: ${problem}\n`);
    return EXIT.ok;
  },
});

/** A hook must never block Claude, so all errors are caught here and go to stderr. */
export const hook: Command = {
  ...rawHook,
  async run(args, environment) {
    try {
      return await rawHook.run(args, environment);
    } catch (cause) {
      environment.terminal.err(`atrium: ${plainText(messageOf(cause))}\n`);
      return EXIT.ok;
    }
  },
};
