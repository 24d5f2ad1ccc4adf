#!/usr/bin/env node
/**
 * `atrium` from a checkout. The program is TypeScript that Node runs as it is, so an older Node hands
 * over to the one that the project brings along. Plain JavaScript for the oldest Node we accept.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const RUNS_TYPESCRIPT = 26;
const main = new URL("../src/main.ts", import.meta.url);
const ours = fileURLToPath(new URL("../../../node_modules/.bin/node", import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= RUNS_TYPESCRIPT) {
  await import(main.href);
} else if (existsSync(ours)) {
  const args = [fileURLToPath(main), ...process.argv.slice(2)];
  const child = spawn(ours, args, { stdio: "inherit" });
  // The terminal sends Ctrl-C to both; only the child knows what it means.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
  });
} else {
  process.stderr.write("atrium: nothing is installed yet; run `npm install` in the checkout\n");
  process.exitCode = 1;
}
