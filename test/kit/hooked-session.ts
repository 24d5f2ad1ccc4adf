/**
 * A session of an agent program as its hooks show it: every event goes through the script that the plugin installs,
 * with what the real program gives it. The process that it claims to be is a real one.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PLUGIN = fileURLToPath(new URL("../../apps/plugin/marketplace/plugin", import.meta.url));

export type HookedProgram = "claude-code" | "codex" | "qwen" | "copilot" | "gemini";

export interface HookedSessionOptions {
  /** Of the server. */
  readonly home: string;
  readonly program?: HookedProgram;
  readonly sessionId?: string;
  /** The user wants to be asked in Atrium; false: by another program, but not by this one. */
  readonly asksHere?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface HookRun {
  /** What it has printed, once it has ended. */
  readonly output: Promise<string>;
  /** Whether all that it was given could be written. */
  readonly isRead: Promise<boolean>;
  /** How it ended, and what it said to whoever is woken by that. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
  /** Ends it with all that it has started, as its program would. */
  end(): void;
}

export interface HookedSession extends AsyncDisposable {
  readonly folder: string;
  /** Starts the hook and does not wait for it. */
  start(event: string, fields?: object): HookRun;
  /** Starts the hook that waits in the background. */
  startWaiting(event: string): HookRun;
  /** What the hook printed. */
  hook(event: string, fields?: object): Promise<string>;
  /** Ends the process without a word. */
  kill(): void;
}

export async function openHookedSession(options: HookedSessionOptions): Promise<HookedSession> {
  const { program = "claude-code", sessionId = "26f07f03-0193-4ab1-8989-3a62caec5a6b" } = options;
  const folder = await mkdtemp(join(tmpdir(), "atrium-hooked-"));
  const plugin = join(folder, "plugin");
  await cp(PLUGIN, plugin, { recursive: true });
  await writeFile(join(plugin, "hooks", "home"), `${options.home}\n`);
  if (options.asksHere !== undefined) {
    const programs = options.asksHere ? `another ${program}` : "another";
    await writeFile(join(plugin, "hooks", "ask-here"), `${programs}\n`);
  }
  const claimed = spawn("sleep", ["600"], { stdio: "ignore" });
  const running = new Set<ChildProcess>();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    USER: "ann",
    ...(program === "claude-code" && { CLAUDECODE: "1", CLAUDE_PID: String(claimed.pid) }),
    ...options.env,
  };

  function run(script: string, event: string, fields: object = {}): HookRun {
    // Where the program's settings name the script, they name the program too.
    const words = program === "gemini" ? [event, program] : [event];
    const child = spawn("sh", [join(plugin, "hooks", script), ...words], {
      env,
      cwd: folder,
      detached: true,
    });
    running.add(child);
    let [printed, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = once(child, "close").then(([code]: (number | null)[]) => {
      running.delete(child);
      return { code: code ?? null, stderr };
    });
    const output = ended.then(() => printed);
    const read = Promise.withResolvers<boolean>();
    child.stdin.on("error", () => read.resolve(false)).on("finish", () => read.resolve(true));
    child.stdin.end(JSON.stringify({ ...commonFields(program, sessionId, event), ...fields }));
    return { output, isRead: read.promise, ended, end: () => endGroup(child) };
  }
  const start: HookedSession["start"] = (event, fields) => run("report.sh", event, fields);

  return {
    folder,
    start,
    startWaiting: (event) => run("wake.sh", event),
    hook: (event, fields) => start(event, fields).output,
    kill: () => void claimed.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      claimed.kill("SIGKILL");
      for (const child of running) endGroup(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the program tells with every event. */
function commonFields(program: HookedProgram, sessionId: string, event: string): object {
  const home = "/home/ann";
  const chat = `chats/${sessionId}.jsonl`;
  const transcripts: Readonly<Record<HookedProgram, string | undefined>> = {
    "claude-code": `${home}/.claude/projects/-home-ann-shop/${sessionId}.jsonl`,
    codex: `${home}/.codex/sessions/2026/11/15/rollout-2026-11-15T23-53-41-${sessionId}.jsonl`,
    qwen: `${home}/.qwen/projects/-home-ann-shop/${chat}`,
    gemini: `${home}/.gemini/tmp/shop/chats/session-2026-11-16T00-03-b68f8643.jsonl`,
    // It names its transcript only at the end of a turn.
    copilot: undefined,
  };
  return {
    session_id: sessionId,
    transcript_path: transcripts[program],
    cwd: `${home}/shop`,
    hook_event_name: event,
    ...(program !== "claude-code" && program !== "codex" && { timestamp: "2026-11-15T23:56:11Z" }),
  };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}
