/** The plugin as a process. Stdout belongs to Claude Code; what there is to say goes to stderr. */
import manifest from "../package.json" with { type: "json" };
import { openPlugin } from "./plugin.ts";
import { readSettings } from "./settings.ts";
import { systemTimers, openSocket } from "./system.ts";

/** Long enough for the good-bye to leave. */
const GOODBYE_MS = 200;

const log = (line: string): void => void process.stderr.write(`atrium-plugin: ${line}\n`);
const settings = readSettings(process.env);
if (typeof settings === "string") {
  log(settings);
  process.exit(1);
}
const plugin = await openPlugin({
  settings,
  version: manifest.version,
  pid: process.pid,
  input: process.stdin,
  output: process.stdout,
  openSocket,
  timers: systemTimers,
  log,
});

const stop = (): void => {
  setTimeout(() => process.exit(0), GOODBYE_MS);
  plugin.close().catch((cause: unknown) => log(String(cause)));
};
process.stdin.once("end", stop);
process.stdin.once("close", stop);
// Whoever reads us is gone.
process.stdout.once("error", stop);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, stop);
