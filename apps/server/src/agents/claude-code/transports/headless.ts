/**
 * The headless transport: `claude --print` with JSON lines both ways. Claude Code asks for permission on its
 * output and is answered on its input; closing the input ends it.
 */
import type { Timers } from "../../../platform/timers.ts";
import { createLineReader } from "../../process/line-reader.ts";
import { parseFields } from "../../turn/json-fields.ts";
import { previewText } from "../../turn/preview/preview-text.ts";
import { keepErrors, spawnGuarded, type GuardedProgram } from "../process/guarded.ts";
import { markOf } from "../process/mark.ts";
import type { Mark } from "../process/process-tree.ts";
import { stopProcess } from "../process/stop-process.ts";
import type {
  ClaudeProcess,
  ClaudePrompt,
  PermissionDecision,
  ProcessEvent,
  Launch,
  PermissionPrompt,
} from "../protocol/claude-process.ts";
import { headlessArgs } from "../protocol/command-line.ts";
import { contentOf } from "../protocol/prompt-content.ts";
import { StreamTranslator } from "../protocol/stream-translator.ts";

/** A tool may return a large file, in one line. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const LEFT_OUT = "\n(A line too long to read was left out.)\n";
/** How long it may say nothing after it was told its first message; what it connects to first takes a while. */
const SILENT_MS = 120_000;
/** Beyond which lines that are no messages show that it is something else. */
const MAX_NOISE_CHARS = 64 * 1024;
/** How long the last words of a process that has ended may take. */
const DRAIN_MS = 500;

export class HeadlessClaude implements ClaudeProcess {
  readonly survivesInterrupt = true;
  readonly hasTakenPrompt = true;
  readonly ended: Promise<string>;
  isUsable = true;
  hasSpoken = false;
  readonly #program: GuardedProgram;
  readonly #mark: Mark;
  readonly #translator: StreamTranslator;
  readonly #prompts = new Map<string, PermissionPrompt>();
  readonly #cwd: string;
  #listener: ((event: ProcessEvent) => void) | undefined;
  #requests = 0;
  /** What it has written that was no message, before the first that was. */
  #noise = "";
  #stopWaiting = (): void => undefined;
  readonly #after: Timers["after"];
  readonly #name: string;
  #stopping: Promise<void> | undefined;

  constructor(launch: Launch, after: Timers["after"]) {
    this.#after = after;
    this.#name = launch.command;
    this.#mark = markOf(launch.env);
    this.#cwd = launch.cwd;
    this.#translator = new StreamTranslator(launch.isResumed);
    this.#program = spawnGuarded(launch.command, headlessArgs(launch), launch);
    const reader = createLineReader(
      MAX_LINE_BYTES,
      (line) => this.#take(line),
      () => this.#listener?.({ type: "thinking", delta: LEFT_OUT }),
    );
    const { stdin, stdout } = this.#program;
    stdout.on("data", (bytes: Buffer) => reader.take(bytes));
    // A process that ends while it is being written to; its end is told otherwise.
    stdin.on("error", () => undefined);
    this.ended = this.#end();
    // What its session has cost so far: results tell the sum.
    if (launch.isResumed) this.#request("usage", { subtype: "get_usage" });
  }

  get pid(): number | undefined {
    return this.#program.child.pid;
  }

  listen(listener: ((event: ProcessEvent) => void) | undefined): void {
    this.#listener = listener;
    this.#prompts.clear();
  }

  say(prompt: ClaudePrompt): void {
    this.#translator.begin();
    if (!this.hasSpoken) {
      this.#stopWaiting = this.#after(SILENT_MS, () => this.#fail(silentFailure));
    }
    this.#send({ type: "user", message: { role: "user", content: contentOf(prompt) } });
  }

  add(text: string): void {
    this.#send({ type: "user", message: { role: "user", content: [{ type: "text", text }] } });
  }

  permit(id: string, decision: PermissionDecision): void {
    const wanted = this.#prompts.get(id);
    if (wanted === undefined) return;
    this.#prompts.delete(id);
    const response = { subtype: "success", request_id: id, response: answerTo(wanted, decision) };
    this.#send({ type: "control_response", response });
  }

  interrupt(): void {
    this.#request("interrupt", { subtype: "interrupt" });
  }

  loseTools(): void {
    // Without a terminal, Claude Code starts it again for the next call.
  }

  stop(): Promise<void> {
    this.isUsable = false;
    this.#stopWaiting();
    const ask = (): void => void this.#program.stdin.end();
    this.#stopping ??= stopProcess({ pid: this.pid, ended: this.ended, mark: this.#mark, ask });
    return this.#stopping;
  }

  #request(name: string, request: object): void {
    this.#send({ type: "control_request", request_id: `${name}_${++this.#requests}`, request });
  }

  #send(message: object): void {
    if (this.#program.stdin.writable) this.#program.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #take(line: string): void {
    const message = parseFields(line);
    if (message === undefined) return this.#hearNoise(line);
    if (message["type"] === "system" && message["subtype"] === "init") this.hasSpoken = true;
    if (this.hasSpoken) this.#stopWaiting();
    for (const event of this.#translator.take(message)) {
      this.hasSpoken = true;
      if (event.type !== "permission.wanted") {
        this.#listener?.(event);
        continue;
      }
      const wanted = { ...event, cwd: event.cwd ?? this.#cwd };
      this.#prompts.set(event.id, wanted);
      this.#listener?.(wanted);
    }
  }

  #hearNoise(line: string): void {
    if (this.hasSpoken || !this.isUsable) return;
    this.#noise += `${line}\n`;
    if (this.#noise.length > MAX_NOISE_CHARS) this.#fail(strangerFailure);
  }

  /** It is not what it should be, which is so at the next attempt too. */
  #fail(describe: (name: string, noise: string) => string): void {
    const reason = describe(this.#name, previewText(this.#noise));
    this.#listener?.({ type: "ended", ending: { how: "failed", kind: "unavailable", reason } });
    void this.stop();
  }

  async #end(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { child, stderr } = this.#program;
    const reasonOf = keepErrors(stderr);
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      const end = (): void => resolve(reasonOf(code, signal));
      child.once("close", end);
      setTimeout(end, DRAIN_MS).unref();
    });
    const ended = await promise;
    const why = this.#noise === "" ? ended : `${ended}; it printed "${previewText(this.#noise)}"`;
    this.isUsable = false;
    this.#stopWaiting();
    this.#listener?.({ type: "gone", why });
    return why;
  }
}

function answerTo({ input }: PermissionPrompt, decision: PermissionDecision): object {
  if (decision.behavior === "deny") return decision;
  return { behavior: "allow", updatedInput: decision.input ?? input };
}

function silentFailure(name: string, noise: string): string {
  const printed = noise === "" ? "" : ` It printed "${noise}".`;
  return `Claude Code ("${name}") did not answer for ${SILENT_MS / 1000} s after it was started.${printed} Run it in a terminal as the server's user to see what it waits for.`;
}

function strangerFailure(name: string, noise: string): string {
  return `"${name}" does not write what Claude Code writes; it printed "${noise}". Check "command" of the runtime.`;
}
