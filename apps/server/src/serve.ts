/**
 * One life of the server: reads the settings, opens Atrium, says where it is, and closes it in order.
 *
 * Expected trouble (a setting, a port, a file, a second server) is one plain sentence on stderr and exit
 * code 1; a flag nobody knows is exit code 2. What goes wrong once it is open ends it with 70 (process-end.ts). Everything else
 * goes to the journal in the home folder.
 */
import { readFileSync } from "node:fs";
import { Fault } from "@atrium/core";
import { LogFault } from "@atrium/log";
import { own } from "@atrium/wire";
import { openAtrium, type Atrium } from "./compose/compose.ts";
import type { ServerOptions } from "./compose/parts.ts";
import { liveOn } from "./lives.ts";
import { ArgsError, ConfigError } from "./platform/config-error.ts";
import { trimHeapSoon } from "./platform/heap-trim.ts";
import { HomeError, openHome, type Home } from "./platform/home.ts";
import { openJournal, type Journal } from "./platform/journal.ts";
import { EXIT, watchProcessEnd, type ProcessEnd } from "./platform/process-end.ts";
import { readArgs, USAGE } from "./settings/command-line.ts";
import { openNextLife } from "./settings/live/next-life.ts";
import { readConfig, type Config, type ProcessInputs } from "./settings/read-config.ts";

const { version } = readPackage();
const PATIENCE_MS = 1_000;

export async function run(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<void> {
  try {
    const { action } = readArgs(args);
    if (action === "help") process.stdout.write(USAGE);
    else if (action === "version") process.stdout.write(`${version}\n`);
    else await serve({ args, env, cwd });
  } catch (cause) {
    if (!(cause instanceof ConfigError || cause instanceof HomeError)) throw cause;
    quit(cause.message, cause instanceof ArgsError ? EXIT.misused : EXIT.failed);
  }
}

async function serve(inputs: ProcessInputs): Promise<void> {
  const config = readConfig(inputs);
  const readEnv: ServerOptions["readEnv"] = (name) => own(inputs.env, name);
  const home = openHome(config.home, config.shared);
  const journal = openJournal(home.journalFile);
  const end = watchProcessEnd(journal.fault);
  const { fault: report, info: note } = journal;
  let last = config;
  const options = { inputs, home, version, readEnv, report, note };
  const openWith = async (now: Config, isFileUsed = true): Promise<Atrium> => {
    const opened = await openAtrium({ ...options, config: now, isFileUsed });
    last = opened.config;
    return opened;
  };
  // The settings may have changed since.
  const openAgain = (port: number): Promise<Atrium> => {
    const openAt = (now: Config, isFileUsed: boolean): Promise<Atrium> =>
      openWith({ ...now, port }, isFileUsed);
    return openNextLife({ inputs, first: config, last, open: openAt, report, note });
  };
  const atrium = await open(() => openWith(config), { config, home, journal, end });
  if (atrium === undefined) return;
  const { url, port, token } = atrium;
  const shared = home.shared === home.folder ? {} : { shared: home.shared };
  home.writeHolder({ pid: process.pid, url, since: new Date().toISOString(), ...shared });
  journal.info("open", { url, version, log: config.log });
  if (config.json) process.stdout.write(`${JSON.stringify({ ready: true, url, port, token })}\n`);
  else process.stdout.write(`Atrium is open: ${url}${token === null ? "" : `#token=${token}`}\n`);
  trimHeapSoon();
  const { reason, close } = await liveOn(atrium, { open: openAgain, end, journal });
  if (reason.type === "signal") journal.info("closing", { signal: reason.signal });
  const goodbye = reason.type === "fault" ? "gateway failed" : undefined;
  await end.exit(
    reason,
    () => close(goodbye),
    () => {
      home.clearHolder();
      journal.close();
    },
  );
}

interface Opening {
  readonly config: Config;
  readonly home: Home;
  readonly journal: Journal;
  readonly end: ProcessEnd;
}

/** Undefined when it cannot be opened and it was said why. */
async function open(
  openFirst: () => Promise<Atrium>,
  { config, home, journal, end }: Opening,
): Promise<Atrium | undefined> {
  const opened = openFirst().then((atrium) => ({ atrium }));
  // Until it is open nothing has to be closed: whoever wants it to end gets that at once.
  const ended = end.reason.then((reason) => ({ reason }));
  try {
    const first = await Promise.race([opened, ended]);
    if ("atrium" in first) return first.atrium;
    await end.exit(
      first.reason,
      async () => undefined,
      () => journal.close(),
    );
  } catch (cause) {
    journal.fault(new Fault("could not open", {}, cause));
    const problem = await explain(cause, config, home);
    if (problem === undefined) {
      const fault = cause instanceof Error ? cause : new Fault("could not open", {}, cause);
      await end.exit(
        { type: "fault", fault },
        async () => undefined,
        () => journal.close(),
      );
      return undefined;
    }
    journal.close();
    quit(problem);
  }
  return undefined;
}

/** Trouble that can be expected, as a sentence; undefined for any other. */
async function explain(cause: unknown, config: Config, home: Home): Promise<string | undefined> {
  if (cause instanceof LogFault && cause.code === "locked") {
    const holder = home.readHolder();
    const who =
      holder === undefined
        ? ""
        : ` by process ${holder.pid} at ${holder.url} since ${holder.since}`;
    return `${home.folder} is in use${who}; stop it or choose another folder with --home`;
  }
  if (cause instanceof LogFault || cause instanceof ConfigError) return cause.message;
  const place = `${config.host}:${config.port}`;
  if (!(cause instanceof Error) || !("syscall" in cause)) return undefined;
  if ("code" in cause && cause.code === "EADDRINUSE") {
    const who = (await isAtrium(config)) ? "Atrium" : "program";
    return `${place} is in use by another ${who}; choose a port with --port`;
  }
  if (cause.syscall === "listen" || cause.syscall === "getaddrinfo") {
    return `cannot listen on ${place}: ${cause.message}`;
  }
  return undefined;
}

/** Whether one of ours listens where we wanted to. */
async function isAtrium({ host, port }: Config): Promise<boolean> {
  const name = host.includes(":") ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://${name}:${port}/readyz`, { signal });
    const health: unknown = await response.json();
    return (
      typeof health === "object" && health !== null && "version" in health && "ready" in health
    );
  } catch {
    // Whatever it is, it does not speak as we do.
    return false;
  }
}

function quit(problem: string, exitCode: number = EXIT.failed): void {
  process.stderr.write(`atrium: ${problem}\n`);
  process.exitCode = exitCode;
}

function readPackage(): { readonly version: string } {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own package.json
  return JSON.parse(text) as { readonly version: string };
}
