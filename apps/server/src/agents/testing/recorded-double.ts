/**
 * An agent that does what a program did when it was recorded: it answers what it is asked in the recorded order, with
 * the recorded messages, for a client that may have other ids and another folder. What it is sent stands in
 * `received.jsonl` of its folder.
 *
 *   node recorded-double.ts RECORDING [any arguments]
 *
 * It also takes what was not asked for when it was recorded and has no effect in the recording: modes, models, options,
 * names, and that it should stop.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Line {
  readonly to?: Message;
  readonly from?: Message;
}

const [, , recording = ""] = process.argv;
const HOME = "/home/dev/project";
const text = readFileSync(recording, "utf8").replaceAll(HOME, process.cwd());
const lines = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);
const ids = new Map<number | string, number | string>();
let at = 0;
/** The request that it waits for an answer to. */
let waitsFor: number | string | undefined;

appendFileSync("received.jsonl", `${JSON.stringify({ argv: process.argv.slice(3) })}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  appendFileSync("received.jsonl", `${line}\n`);
  hear(JSON.parse(line) as Message);
});

function hear(message: Message): void {
  const expected = lines[at]?.to;
  if (message.method === undefined) {
    if (message.id !== waitsFor) return;
    waitsFor = undefined;
    // It may have said more before it was answered.
    play();
    const answer = lines[at]?.to;
    if (answer !== undefined && answer.method === undefined) {
      if (!isSame(answer, message)) fail(answer, message);
      at++;
    }
    return play();
  }
  if (message.id === undefined) return;
  if (expected?.method === message.method && expected.id !== undefined) {
    ids.set(expected.id, message.id);
    at++;
    return play();
  }
  const isSetting = /^session\/set_|^thread\/name\/set$|^turn\/interrupt$/.test(message.method);
  if (!isSetting) return fail(expected, message);
  send({ id: message.id, result: {} });
}

/** Says what comes next, up to what it has to be told first. */
function play(): void {
  for (let next = lines[at]?.from; next !== undefined; next = lines[at]?.from) {
    at++;
    const id = next.method === undefined ? ids.get(next.id ?? "") : next.id;
    send({ ...next, ...(id !== undefined && { id }) });
    if (next.method === undefined || next.id === undefined) continue;
    waitsFor = next.id;
    return;
  }
}

/** People's answers are as recorded. A client that was recorded may have had less to say. */
function isSame(expected: Message, message: Message): boolean {
  if (expected.error !== undefined) return true;
  return JSON.stringify(expected.result) === JSON.stringify(message.result);
}

function fail(expected: Message | undefined, message: Message): void {
  process.stderr.write(
    `expected ${JSON.stringify(expected)}, received ${JSON.stringify(message)}\n`,
  );
  process.exit(9);
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
