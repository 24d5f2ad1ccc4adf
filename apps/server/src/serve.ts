/**
 * One life of the server: reads the settings, opens Atrium, says where it is, and closes it in order.
 *
 * Expected trouble (a setting, a port, a file, a second server) is one plain sentence on stderr and exit
 * code 1; a flag nobody knows is exit code 2. Everything else goes to the journal in the home folder.
 */
import { readFileSync } from "node:fs";
import { Fault } from "@atrium/core";
import { LogFault } from "@atrium/log";
import { own } from "@atrium/wire";
import { openAtrium, type Atrium } from "./compose.ts";
import { ArgsError } from "./config-error.ts";
import { ConfigError, readArgs, readConfig, USAGE, type Config } from "./config.ts";
import { giveBackSoon } from "./give-back.ts";
import { HomeError, openHome, type Home } from "./home.ts";
import { openJournal, type Journal } from "./journal.ts";
import type { Surface } from "./surface.ts";

const { version } = readPackage();
const FAILED = 1;
const MISUSED = 2;
const PATIENCE_MS = 1_000;

export async function run(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<void> {
  try {
    const { wants } = readArgs(args);
    if (wants === "help") process.stdout.write(USAGE);
    else if (wants === "version") process.stdout.write(`${version}\n`);
    else await serve(readConfig({ args, env, cwd }), (name) => own(env, name));
  } catch (cause) {
    if (!(cause instanceof ConfigError || cause instanceof HomeError)) throw cause;
    quit(cause.message, cause instanceof ArgsError ? MISUSED : FAILED);
  }
}

async function serve(config: Config, readEnv: Surface["readEnv"]): Promise<void> {
  const home = openHome(config.home);
  const journal = openJournal(home.journalFile);
  // A bug nobody caught still ends the process; this way it leaves a line behind.
  process.on("uncaughtExceptionMonitor", journal.fault);
  let atrium: Atrium;
  try {
    atrium = await openAtrium({
      config,
      home,
      version,
      readEnv,
      report: journal.fault,
      note: journal.info,
    });
  } catch (cause) {
    const problem = await explain(cause, config, home);
    journal.fault(new Fault("could not open", {}, cause));
    journal.close();
    return quit(problem);
  }
  const { url, port, token } = atrium;
  home.writeHolder({ pid: process.pid, url, since: new Date().toISOString() });
  journal.info("open", { url, version, log: config.log });
  if (config.json) process.stdout.write(`${JSON.stringify({ ready: true, url, port, token })}\n`);
  else process.stdout.write(`Atrium is open: ${url}${token === null ? "" : `#token=${token}`}\n`);
  giveBackSoon();
  await ending(atrium, journal);
  home.clearHolder();
  journal.close();
}

/** Until someone asks us to stop, or we cannot go on. */
async function ending(atrium: Atrium, journal: Journal): Promise<void> {
  const asked = new Promise<string>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => resolve(signal));
    }
  });
  const broken = atrium.stopped.then(
    (fault) => fault ?? new Fault("the log was closed"),
    (cause: unknown) => (cause instanceof Error ? cause : new Fault("stopped", {}, cause)),
  );
  const why = await Promise.race([asked, broken]);
  if (typeof why === "string") {
    journal.info("closing", { signal: why });
    await atrium.close();
    return;
  }
  journal.fault(why);
  process.stderr.write(`atrium: ${why.message}\n`);
  process.exitCode = 1;
  await atrium.close("gateway failed").catch(journal.fault);
}

async function explain(cause: unknown, config: Config, home: Home): Promise<string> {
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
  if (!(cause instanceof Error) || !("syscall" in cause)) throw cause;
  if ("code" in cause && cause.code === "EADDRINUSE") {
    const who = (await isAtrium(config)) ? "Atrium" : "program";
    return `${place} is in use by another ${who}; choose a port with --port`;
  }
  if (cause.syscall === "listen" || cause.syscall === "getaddrinfo") {
    return `cannot listen on ${place}: ${cause.message}`;
  }
  throw cause;
}

/** Whether one of ours listens where we wanted to. */
async function isAtrium({ host, port }: Config): Promise<boolean> {
  const name = host.includes(":") ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://${name}:${port}/readyz`, { signal });
    const said: unknown = await response.json();
    return typeof said === "object" && said !== null && "version" in said && "ready" in said;
  } catch {
    // Whatever it is, it does not speak as we do.
    return false;
  }
}

function quit(problem: string, exitCode: number = FAILED): void {
  process.stderr.write(`atrium: ${problem}\n`);
  process.exitCode = exitCode;
}

function readPackage(): { readonly version: string } {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own package.json
  return JSON.parse(text) as { readonly version: string };
}
