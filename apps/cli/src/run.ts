/**
 * From arguments to an exit code: picks the command, and turns what it complains about into a sentence
 * and an advice on stderr.
 */
import { ConnectionLost, GatewayError, RequestTimeout } from "@atrium/client";
import { build } from "./commands/build.ts";
import { chat } from "./commands/chat.ts";
import { doctor } from "./commands/doctor.ts";
import { sessions } from "./commands/sessions.ts";
import { signals } from "./commands/signals.ts";
import { status } from "./commands/status.ts";
import { up } from "./commands/up.ts";
import { Complaint, EXIT } from "./complaint.ts";
import { ownVersion } from "./own-version.ts";
import type { Surroundings } from "./surroundings.ts";
import { plainText } from "./terminal/plain-text.ts";
import { USAGE } from "./usage.ts";

/** Resolves with the exit code. */
type Command = (args: readonly string[], surroundings: Surroundings) => Promise<number>;

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["up", up],
  ["status", status],
  ["chat", chat],
  ["build", build],
  ["sessions", sessions],
  ["signals", signals],
  ["doctor", doctor],
]);

export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  try {
    return await pick(args, surroundings);
  } catch (cause) {
    const { message, advice, exitCode } = complaintOf(cause);
    const { errPaint } = terminal;
    terminal.err(`${errPaint.bad("atrium:")} ${plainText(message)}\n`);
    if (advice !== undefined) terminal.err(`${errPaint.quiet(advice)}\n`);
    return exitCode;
  }
}

async function pick(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { out } = surroundings.terminal;
  const [name = "help", ...rest] = args;
  if (name === "help" || name === "--help" || name === "-h") {
    out(USAGE);
    return args.length === 0 ? EXIT.misused : EXIT.ok;
  }
  if (name === "--version" || name === "-V") {
    out(`${ownVersion()}\n`);
    return EXIT.ok;
  }
  const command = COMMANDS.get(name);
  if (command !== undefined) return command(rest, surroundings);
  throw new Complaint(`There is no command ${name}.`, {
    advice: `These exist: ${[...COMMANDS.keys()].join(", ")}. See atrium --help`,
    exitCode: EXIT.misused,
  });
}

/** Anything else is a bug, and shows itself as one. */
function complaintOf(cause: unknown): Complaint {
  if (cause instanceof Complaint) return cause;
  if (cause instanceof GatewayError) {
    return new Complaint(`The server refused: ${cause.message}`, {}, cause);
  }
  if (cause instanceof ConnectionLost || cause instanceof RequestTimeout) {
    return new Complaint(
      `The server went away: ${cause.message}.`,
      { advice: "Find out why with: atrium doctor" },
      cause,
    );
  }
  throw cause;
}
