/**
 * A double of `claude --print`: speaks its JSON lines and follows the prompt, for what the real one cannot be made to
 * do. What it proves is our side of the wire; that the real one speaks it is proved in test/conformance.
 *
 *   say X | tool NAME | forever | silent | flood N | die | complain X | permission COMMAND | env | variable NAME
 *
 * Run as: claude-double.ts <folder> [stubborn] [broken] [confused] -- <the arguments of claude>
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

interface Message {
  readonly type: string;
  readonly request_id?: string;
  readonly message?: { readonly content: readonly { readonly text?: string }[] };
  readonly request?: { readonly subtype: string };
  readonly response?: { readonly request_id: string; readonly response: object };
}

const [folder = ".", ...rest] = process.argv.slice(2);
const traits = rest.slice(0, rest.indexOf("--"));
const args = rest.slice(rest.indexOf("--") + 1);
const flag = (name: string): string | undefined =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const session = flag("session-id") ?? flag("resume") ?? "";
const NOT_FOUND = `No conversation found with session ID: ${session}`;
const transcript = join(folder, `${session}.txt`);

// Whether it is logged in, which it is with a key.
if (args[0] === "auth") {
  process.stdout.write(JSON.stringify({ authMethod: "api_key", apiProvider: "firstParty" }));
  process.exit(0);
}

const out = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
appendFileSync(join(folder, "starts.jsonl"), `${JSON.stringify({ pid: process.pid, args })}\n`);
if (traits.includes("stubborn")) process.on("SIGTERM", () => undefined);
if (traits.includes("broken")) leave("Error: something is missing");
if (traits.includes("confused")) {
  leave(flag("resume") === undefined ? `Session ID ${session} is already in use.` : NOT_FOUND);
}
if (flag("resume") !== undefined && !existsSync(transcript)) {
  leave(NOT_FOUND);
}
if (flag("session-id") !== undefined && existsSync(transcript)) {
  leave(`Error: Session ID ${session} is already in use.`);
}

let isInterrupted = false;
let isPlaying = false;
const waiting: string[] = [];
let number = 0;
const asked = new Map<string, (answer: object) => void>();
const input = createInterface({ input: process.stdin });
// A stubborn one does not leave when it is asked to, either.
input.on("close", () =>
  traits.includes("stubborn") ? setInterval(() => undefined, 1_000) : process.exit(0),
);
input.on("line", (line) => {
  const { type, message, request_id, request, response } = JSON.parse(line) as Message;
  if (type === "user") void hear(message?.content.map(({ text }) => text).join("\n") ?? "");
  if (type === "control_response") {
    asked.get(response?.request_id ?? "")?.(response?.response ?? {});
  }
  if (type === "control_request" && request?.subtype === "interrupt") {
    isInterrupted = true;
    out({ type: "control_response", response: { subtype: "success", request_id } });
  }
});

/** What comes while it is at work is taken in after a tool, or is the next that it answers. */
async function hear(prompt: string): Promise<void> {
  waiting.push(prompt);
  if (isPlaying) return;
  isPlaying = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    repeat(next);
    await play(next);
  }
  isPlaying = false;
}

function repeat(text: string): void {
  if (!args.includes("--replay-user-messages")) return;
  out({
    type: "user",
    message: { role: "user", content: [{ type: "text", text }] },
    isReplay: true,
  });
}

async function play(prompt: string): Promise<void> {
  isInterrupted = false;
  appendFileSync(transcript, `${prompt}\n`);
  out({ type: "system", subtype: "init", session_id: session });
  event({ type: "message_start", message: { id: `msg_${++number}`, usage: { input_tokens: 11 } } });
  const [word, ...words] = prompt.split(" ");
  const what = words.join(" ");
  if (word === "die") process.kill(process.pid, "SIGKILL");
  if (word === "complain") leave(what);
  if (word === "say") say(what);
  else if (word === "history") say(readFileSync(transcript, "utf8"));
  else if (word === "variable") say(process.env[what] ?? "");
  else if (word === "env") say(Object.keys(process.env).toSorted().join(" "));
  else if (word === "forever") await forever();
  else if (word === "silent") await until(() => isInterrupted);
  else if (word === "flood") flood(Number(what));
  else if (word === "tool") await useTool(what);
  else if (word === "permission") say(JSON.stringify(await permission(what)));
  else say(prompt);
  event({ type: "message_delta", usage: { output_tokens: 7 } });
  out({
    type: "result",
    subtype: isInterrupted ? "error_during_execution" : "success",
    is_error: isInterrupted,
    terminal_reason: isInterrupted ? "aborted_streaming" : "completed",
    usage: { input_tokens: 11 * number, output_tokens: 7 * number },
  });
}

function event(body: object): void {
  out({ type: "stream_event", event: body, parent_tool_use_id: null });
}

function say(text: string): void {
  event({ type: "content_block_start" });
  for (const word of text.split(/(?<= )/)) {
    event({ type: "content_block_delta", delta: { type: "text_delta", text: word } });
  }
}

async function forever(): Promise<void> {
  event({ type: "content_block_start" });
  await until(() => {
    event({ type: "content_block_delta", delta: { type: "text_delta", text: "on " } });
    return isInterrupted;
  });
}

function flood(lines: number): void {
  event({ type: "content_block_start" });
  const text = `${"x".repeat(1_000)}\n`;
  for (let count = 0; count < lines; count++) {
    event({ type: "content_block_delta", delta: { type: "text_delta", text } });
    if (count % 10 === 0) process.stderr.write(text);
  }
  // One line that is too long for anyone.
  out({ type: "stream_event", event: { junk: "y".repeat(40 * 1024 * 1024) } });
  say("the end");
}

async function permission(command: string): Promise<object> {
  const id = `request_${++number}`;
  const { promise, resolve } = Promise.withResolvers<object>();
  asked.set(id, resolve);
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command } };
  out({ type: "control_request", request_id: id, request });
  return promise;
}

/** Through the tool server it was told to start, as the real one does. */
async function useTool(name: string): Promise<void> {
  const { mcpServers } = JSON.parse(flag("mcp-config") ?? "{}");
  const [[server, { command, args: own }]] = Object.entries(mcpServers) as [
    [string, { command: string; args: string[] }],
  ];
  const child = spawn(command, own, { stdio: ["pipe", "pipe", "inherit"] });
  const id = `toolu_${++number}`;
  const call = { type: "tool_use", id, name: `mcp__${server}__${name}`, input: { q: "tide" } };
  out({ type: "assistant", message: { id: `msg_${number}`, content: [call] } });
  const params = { name, arguments: { q: "tide" } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
  const answered = new Promise<{ content: object; isError: boolean } | undefined>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => resolve(JSON.parse(line).result));
  });
  const result = await Promise.race([answered, until(() => isInterrupted)]);
  child.kill();
  if (result === undefined) return;
  const { content, isError } = result;
  const block = { type: "tool_result", tool_use_id: id, content, is_error: isError };
  out({ type: "user", message: { content: [block] } });
  for (const added of waiting.splice(0)) {
    repeat(added);
    say(`Also: ${added}. `);
  }
  say(process.env["DOUBLE_ANSWER"] ?? "");
}

async function until(isSo: () => boolean): Promise<undefined> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function leave(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
