/**
 * Stands between a runtime and a real program that speaks JSON lines on its standard streams, and writes down what is
 * said, for recordings that are played in `npm test`: what people call the machine is not in them.
 *
 *   node record-lines.ts FILE PLACES command...
 *
 * PLACES is a JSON object of paths, each with what stands there instead.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly type?: string;
}

const MAX_NEWS_CHARS = 32 * 1024;

const [, , file = "", places = "{}", command = "", ...args] = process.argv;
const replaced = Object.entries(JSON.parse(places) as Record<string, string>);

const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, () => child.kill(signal));
}
child.on("exit", (code) => process.exit(code ?? 1));
child.stdin.on("error", () => undefined);
createInterface({ input: process.stdin })
  .on("line", (line) => {
    write("to", line);
    child.stdin.write(`${line}\n`);
  })
  .on("close", () => child.stdin.end());
createInterface({ input: child.stdout }).on("line", (line) => {
  write("from", line);
  process.stdout.write(`${line}\n`);
});

function write(direction: "to" | "from", line: string): void {
  const known = replaced.reduce((text, [path, instead]) => text.replaceAll(path, instead), line);
  let message: Message;
  try {
    message = JSON.parse(known) as Message;
  } catch {
    return;
  }
  // Nothing answers what a client only tells.
  const isTold = direction === "to" && message.method !== undefined && message.id === undefined;
  // What commands and skills there are is long, and nothing of a turn.
  const isLong = direction === "from" && known.length > MAX_NEWS_CHARS && message.id === undefined;
  if (!isTold && !isLong) appendFileSync(file, `${JSON.stringify({ [direction]: message })}\n`);
}
