/**
 * `atrium log`: moves, checks and repairs a log that no server has open. What logs are made of is the server's
 * business, so its program does the work.
 */
import { spawn } from "node:child_process";
import type { Command } from "../command-line/command.ts";
import { becomeServer, exitCodeOf, SERVER_PROGRAM } from "../server/server-program.ts";

export const log: Command = {
  name: "log",
  calls: [
    ["log copy --from PLACE --to PLACE", "move a log between a file and servers"],
    ["log verify", "check that the log is whole"],
    ["log repair [--yes]", "give servers back what they lost"],
  ],
  options: {},
  examples: ["atrium log copy --from sqlite --to nats://a:4222,b:4222,c:4222"],
  moreHelp: () =>
    exitCodeOf(spawn(process.execPath, [SERVER_PROGRAM, "log", "--help"], { stdio: "inherit" })),
  run: (args, { env }) => becomeServer(["log", ...args], env),
};
