/**
 * `atrium`. Turns on Node's compile cache before anything large is loaded, as the server does, because
 * a command is over before it would have been compiled twice.
 */
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/compile", import.meta.url)));
const { run } = await import("./run.ts");
const { openTerminal } = await import("./terminal/terminal.ts");

const terminal = openTerminal(process.stdin, process.stdout, process.stderr, process.env);
const environment = { env: process.env, cwd: process.cwd(), terminal, now: () => Date.now() };
process.exitCode = await run(process.argv.slice(2), environment);
