/**
 * The headless transport: `claude --print` with JSON lines both ways. Claude Code asks for permission on its
 * output and is answered on its input; closing the input ends it.
 */
import { spawn } from "node:child_process";
import type {
  ClaudeProcess,
  ClaudePrompt,
  Decision,
  Heard,
  Launch,
  WantedPermission,
} from "./claude-process.ts";
import { headlessArgs } from "./command-line.ts";
import { quote } from "./ending.ts";
import { parseFields } from "./json-fields.ts";
import { createLineReader } from "./line-reader.ts";
import { markOf } from "./mark.ts";
import { signalGroup } from "./process-tree.ts";
import { contentOf } from "./prompt-content.ts";
import { stopProcess } from "./stop-process.ts";
import { createStreamTranslator } from "./stream-translator.ts";

/** A tool may return a large file, in one line. */
const LONGEST_LINE = 32 * 1024 * 1024;
const ERRORS_KEPT = 4_096;
/** How long the last words of a process that has ended may take. */
const DRAIN_MS = 500;

export async function openHeadless(launch: Launch): Promise<ClaudeProcess> {
  const child = spawn(launch.command, headlessArgs(launch), {
    cwd: launch.cwd,
    env: launch.env,
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own, so that it can be ended with what it starts.
    detached: true,
  });
  const translator = createStreamTranslator();
  const asked = new Map<string, WantedPermission>();
  let listener: ((heard: Heard) => void) | undefined;
  let errors = "";
  let isUsable = true;
  let hasSpoken = false;
  let requests = 0;

  const tell = (heard: Heard): void => {
    if (heard.type === "permission.wanted") asked.set(heard.id, heard);
    listener?.(heard);
  };
  const send = (message: object): void => {
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const reader = createLineReader(
    LONGEST_LINE,
    (line) => {
      const message = parseFields(line);
      if (message === undefined) return;
      for (const heard of translator.take(message)) {
        hasSpoken = true;
        tell(heard);
      }
      if (message["type"] === "system" && message["subtype"] === "init") hasSpoken = true;
    },
    () => tell({ type: "thinking", delta: "\n(A line too long to read was left out.)\n" }),
  );
  child.stdout.on("data", (bytes: Buffer) => reader.take(bytes));
  child.stderr.on("data", (bytes: Buffer) => {
    errors = `${errors}${bytes.toString("utf8")}`.slice(-ERRORS_KEPT);
  });
  // A process that ends while it is being written to; its end is told below.
  child.stdin.on("error", () => undefined);

  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      // What it has started may hold its output open for ever.
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
      const tell = (): void => resolve(reasonOf(code, signal, errors));
      child.once("close", tell);
      setTimeout(tell, DRAIN_MS).unref();
    });
  }).then((why) => {
    isUsable = false;
    listener?.({ type: "gone", why });
    return why;
  });
  const mark = markOf(launch.env);
  let stopping: Promise<void> | undefined;

  return {
    pid: child.pid,
    survivesInterrupt: true,
    ended,
    get isUsable() {
      return isUsable;
    },
    get hasSpoken() {
      return hasSpoken;
    },
    listen(next) {
      listener = next;
      asked.clear();
    },
    say(prompt: ClaudePrompt) {
      translator.begin();
      send({ type: "user", message: { role: "user", content: contentOf(prompt) } });
    },
    permit(id, decision) {
      const wanted = asked.get(id);
      if (wanted === undefined) return;
      asked.delete(id);
      const response = answerTo(wanted, decision);
      send({
        type: "control_response",
        response: { subtype: "success", request_id: id, response },
      });
    },
    interrupt() {
      const request_id = `interrupt_${++requests}`;
      send({ type: "control_request", request_id, request: { subtype: "interrupt" } });
    },
    stop() {
      isUsable = false;
      stopping ??= stopProcess({ pid: child.pid, ended, mark, ask: () => child.stdin.end() });
      return stopping;
    },
  };
}

function answerTo({ input }: WantedPermission, decision: Decision): object {
  if (decision.behavior === "deny") return decision;
  return { behavior: "allow", updatedInput: decision.input ?? input };
}

function reasonOf(code: number | null, signal: string | null, errors: string): string {
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  const said = quote(errors);
  return `it ended ${how}${said === "" ? "" : `: ${said}`}`;
}
