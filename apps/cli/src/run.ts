/**
 * From arguments to an exit code: picks the command, and turns what it complains about into a sentence
 * and an advice on stderr.
 */
import { ConnectionLost, GatewayError, InvalidParams, RequestTimeout } from "@atrium/client";
import { CliError, EXIT } from "./command-line/cli-error.ts";
import type { Command } from "./command-line/command.ts";
import type { Environment } from "./command-line/environment.ts";
import { ownVersion } from "./command-line/own-version.ts";
import { findCommand, helpOf, pageOf } from "./command-line/usage.ts";
import { agents } from "./commands/agents.ts";
import { approvals } from "./commands/approvals.ts";
import { ask } from "./commands/ask.ts";
import { build } from "./commands/build.ts";
import { chat } from "./commands/chat.ts";
import { deliver, revert, update } from "./commands/deliver.ts";
import { doctor } from "./commands/doctor.ts";
import { diff, files, fork, restore } from "./commands/files.ts";
import { attach } from "./commands/join/attach.ts";
import { join, leave } from "./commands/join/join.ts";
import { log } from "./commands/log.ts";
import { logins } from "./commands/logins.ts";
import { devices, nodes } from "./commands/pairing.ts";
import { plan } from "./commands/plan.ts";
import { repo } from "./commands/repo.ts";
import { review } from "./commands/review.ts";
import { sessions } from "./commands/sessions.ts";
import { config } from "./commands/settings/config.ts";
import { connect } from "./commands/settings/connect.ts";
import { crew } from "./commands/settings/crew.ts";
import { signals } from "./commands/signals.ts";
import { status } from "./commands/status.ts";
import { up } from "./commands/up.ts";
import { plainText } from "./terminal/plain-text.ts";

export const COMMANDS: readonly Command[] = [
  up,
  status,
  agents,
  connect,
  crew,
  config,
  chat,
  ask,
  build,
  repo,
  files,
  diff,
  restore,
  fork,
  attach,
  plan,
  review,
  update,
  deliver,
  revert,
  sessions,
  logins,
  approvals,
  devices,
  nodes,
  join,
  leave,
  signals,
  doctor,
  log,
];

export async function run(args: readonly string[], environment: Environment): Promise<number> {
  const { terminal } = environment;
  try {
    return await pick(args, environment);
  } catch (cause) {
    const { message, advice, exitCode } = cliErrorOf(cause);
    const { errPaint } = terminal;
    terminal.err(`${errPaint.bad("atrium:")} ${plainText(message)}\n`);
    if (advice !== undefined) terminal.err(`${errPaint.quiet(plainText(advice))}\n`);
    return exitCode;
  }
}

async function pick(args: readonly string[], environment: Environment): Promise<number> {
  const { out } = environment.terminal;
  const [name = "help", ...rest] = args;
  if (isHelp(name) || name === "help") {
    const about = findCommand(COMMANDS, rest);
    if (about !== undefined) return explain(about, out);
    if (rest.length > 0) throw unknown(rest.join(" "));
    out(pageOf(COMMANDS));
    return args.length === 0 ? EXIT.misused : EXIT.ok;
  }
  if (name === "--version" || name === "-V") {
    out(`${ownVersion()}\n`);
    return EXIT.ok;
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw unknown(name);
  // What follows -- is words, whatever it looks like.
  const end = rest.indexOf("--");
  const flags = end === -1 ? rest : rest.slice(0, end);
  if (flags.some(isHelp)) return explain(findCommand(COMMANDS, args) ?? command, out);
  return command.run(rest, environment);
}

const isHelp = (arg: string): boolean => arg === "--help" || arg === "-h";

async function explain(command: Command, out: (text: string) => void): Promise<number> {
  out(helpOf(command));
  return command.moreHelp?.() ?? EXIT.ok;
}

function unknown(name: string): CliError {
  return new CliError(`Unknown command: ${name}`, {
    advice: `Commands: ${COMMANDS.map((each) => each.name).join(", ")}. See atrium --help`,
    exitCode: EXIT.misused,
  });
}

/** Anything else is a bug, and shows itself as one. */
function cliErrorOf(cause: unknown): CliError {
  if (cause instanceof CliError) return cause;
  if (cause instanceof GatewayError) {
    return new CliError(`The server refused: ${cause.message}`, {}, cause);
  }
  if (cause instanceof InvalidParams) {
    // Whatever breaks the schema of a method was typed here.
    return new CliError(`Invalid arguments: ${cause.message}`, { exitCode: EXIT.misused }, cause);
  }
  if (cause instanceof ConnectionLost || cause instanceof RequestTimeout) {
    return new CliError(
      `Lost the connection to the server: ${cause.message}.`,
      { advice: "To find the cause, run: atrium doctor" },
      cause,
    );
  }
  throw cause;
}
