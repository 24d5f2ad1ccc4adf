/** The plugin as a process. Stdout belongs to Claude Code; what there is to say goes to stderr. */
import { homedir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { readAddress } from "./joined/joined-address.ts";
import { openJoinedServer } from "./joined/joined-server.ts";
import { openPlugin, type Plugin } from "./plugin.ts";
import { readSettings } from "./settings.ts";
import { systemTimers, openSocket } from "./system.ts";

/** Long enough for the good-bye to leave. */
const GOODBYE_MS = 200;

const log = (line: string): void => void process.stderr.write(`atrium-plugin: ${line}\n`);
/** What `atrium join` has installed names the home; whoever serves a session of Atrium's own does not. */
const [home] = process.argv.slice(2);
const isOfAtrium = (process.env["ATRIUM_AGENT"] ?? "") !== "";
const settings = home !== undefined && isOfAtrium ? undefined : readSettings(process.env);
if (typeof settings === "string") {
  log(settings);
  process.exit(1);
}
const stdio = { input: process.stdin, output: process.stdout, timers: systemTimers, log };
const { version } = manifest;

function openJoined(): Promise<Plugin> {
  const folder = home ?? join(homedir(), ".atrium");
  return openJoinedServer({
    ...stdio,
    version,
    // A session that Atrium has started has its tools already.
    address: () => (isOfAtrium ? undefined : readAddress(folder)),
    pid: process.ppid,
    folder: process.cwd(),
    fetch,
  });
}

const plugin = await (settings === undefined
  ? openJoined()
  : openPlugin({ ...stdio, settings, version, pid: process.pid, openSocket }));

const stop = (): void => {
  setTimeout(() => process.exit(0), GOODBYE_MS);
  plugin.close().catch((cause: unknown) => log(String(cause)));
};
process.stdin.once("end", stop);
process.stdin.once("close", stop);
// Whoever reads us is gone.
process.stdout.once("error", stop);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, stop);
