/**
 * `atrium log …`: moves, checks and repairs a log. A program of its own beside the server, because it works on logs
 * that no server has open; it reads the same settings.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { LogFault } from "@atrium/log";
import { ArgsError, ConfigError } from "../platform/config-error.ts";
import { EXIT } from "../platform/process-end.ts";
import { readConfig, type ProcessInputs } from "../settings/read-config.ts";
import { COPY_FILE, LOG_FILE, readPlaces } from "./log-place.ts";
import type { UpkeepProgress, UpkeepReport } from "./upkeep-report.ts";

const LOG_USAGE = `atrium log: moves, checks and repairs a log

  log copy --from PLACE --to PLACE  same entries, positions, keys and epoch; goes on after a crash
  log verify                        is the log whole: at the servers of --log, else in the home
  log repair [--yes]                put back what the servers lost, from copies of nodes

  PLACE is sqlite (the log in --home), a file, another home, or nats://a:4222,b:4222,c:4222.
  --restored          of copy: --from is a backup, so that readers begin anew (another epoch)
  --copies FILES      copies of nodes for repair, with commas (chain.db in --home)
  --yes               do it; without it repair only says what it would do
  --json              print JSON
  All other flags, variables and keys are those of the server: --home, --log, --log-stream, …
`;

interface LogArgs {
  readonly action: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly copies: string | undefined;
  readonly isRestored: boolean;
  readonly isSure: boolean;
  readonly isJson: boolean;
  /** For the settings. */
  readonly rest: readonly string[];
}

export async function run(
  args: readonly string[],
  env: ProcessInputs["env"],
  cwd: string,
): Promise<void> {
  try {
    const given = readLogArgs(args);
    if (given.action === "help") {
      process.stdout.write(LOG_USAGE);
      return;
    }
    const progress = showProgress(process.stderr);
    const report = await act(given, { args: given.rest, env, cwd }, progress.show);
    progress.clear();
    const { isWell, lines, facts } = report;
    const text = given.isJson ? JSON.stringify({ ok: isWell, ...facts }) : lines.join("\n");
    process.stdout.write(`${text}\n`);
    process.exitCode = isWell ? EXIT.ok : EXIT.failed;
  } catch (cause) {
    if (!isExpected(cause)) throw cause;
    const isMisuse = cause instanceof ArgsError;
    const [problem = ""] = isMisuse ? cause.message.split("\n") : [cause.message];
    process.stderr.write(`atrium: ${problem}\n${isMisuse ? "See atrium log --help\n" : ""}`);
    process.exitCode = isMisuse ? EXIT.misused : EXIT.failed;
  }
}

async function act(
  given: LogArgs,
  inputs: ProcessInputs,
  progress: UpkeepProgress,
): Promise<UpkeepReport> {
  const { action, from, to } = given;
  if (action === "copy") {
    if (from === undefined || to === undefined) throw new ArgsError("copy needs --from and --to");
    const { copyLog } = await import("./copy-log.ts");
    const [source, target] = readPlaces([from, to], inputs);
    return copyLog({ from: source, to: target, isRestored: given.isRestored }, progress);
  }
  const config = readConfig(inputs);
  const { nats, home } = config;
  const copyFile = join(home, COPY_FILE);
  if (action === "verify") {
    const { verifyLogFile, verifyServers } = await import("./verify-log.ts");
    return nats === undefined
      ? verifyLogFile(join(home, LOG_FILE), progress)
      : verifyServers(nats, copyFile, progress);
  }
  if (nats === undefined) {
    throw new ConfigError("repair is for a log at servers: name them with --log nats://…");
  }
  const { repairServers } = await import("./repair-log.ts");
  const copies = copiesOf(given.copies, copyFile, inputs.cwd);
  return repairServers(nats, { copies, isSure: given.isSure }, progress);
}

/** Trouble that a person can do something about; the last one comes from a module that may not be loaded. */
function isExpected(cause: unknown): cause is Error {
  if (cause instanceof ConfigError || cause instanceof LogFault) return true;
  return cause instanceof Error && cause.name === "UnreachableServers";
}

function copiesOf(given: string | undefined, own: string, cwd: string): readonly string[] {
  const named = given?.split(",").map((file) => resolve(cwd, file.trim())) ?? [];
  return existsSync(own) ? [...new Set([own, ...named])] : named;
}

const ACTIONS: readonly string[] = ["copy", "verify", "repair"];
const SWITCHES: readonly string[] = ["--restored", "--yes", "--json"];
const TEXTS = ["--from", "--to", "--copies"] as const;

/** Takes what is ours; the rest is read as settings, which name what they do not know. */
function readLogArgs(args: readonly string[]): LogArgs {
  const [action = "", ...given] = args;
  const isHelp = args.some((arg) => arg === "--help" || arg === "-h");
  if (!isHelp && !ACTIONS.includes(action)) {
    const problem = action === "" ? "Missing subcommand" : `Unknown subcommand: ${action}`;
    throw new ArgsError(`${problem}. Use one of: ${ACTIONS.join(", ")}`);
  }
  const texts = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < given.length; at++) {
    const arg = given[at] ?? "";
    const name = TEXTS.find((text) => arg === text || arg.startsWith(`${text}=`));
    if (name === undefined) rest.push(arg);
    else if (arg === name) texts.set(name, given[++at] ?? "");
    else texts.set(name, arg.slice(name.length + 1));
  }
  const empty = TEXTS.find((name) => texts.get(name) === "");
  if (empty !== undefined) throw new ArgsError(`${empty} needs a value`);
  return {
    action: isHelp ? "help" : action,
    from: texts.get("--from"),
    to: texts.get("--to"),
    copies: texts.get("--copies"),
    isRestored: rest.includes("--restored"),
    isSure: rest.includes("--yes"),
    isJson: rest.includes("--json"),
    rest: rest.filter((arg) => !SWITCHES.includes(arg)),
  };
}

const SHOW_EVERY_MS = 200;

/** One line that is written over; none where nobody would see it. */
function showProgress(stream: NodeJS.WriteStream): { show: UpkeepProgress; clear: () => void } {
  let shownAt = 0;
  const isSeen = stream.isTTY;
  return {
    show(what, done, of) {
      if (!isSeen || performance.now() - shownAt < SHOW_EVERY_MS) return;
      shownAt = performance.now();
      stream.write(`\r${what} ${done} of ${of}\u001B[K`);
    },
    clear() {
      if (shownAt > 0) stream.write("\r\u001B[K");
    },
  };
}
