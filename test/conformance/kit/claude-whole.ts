/**
 * The whole way: clients of the gateway, the server as a process of its own, the real Claude Code in it, our plugin in
 * that, and a model server on loopback.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { markedProcesses } from "../../../apps/server/src/agents/claude-code/process/process-tree.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelServer } from "../../kit/model-server/model-server.ts";
import type { Frame, RawPeer } from "../../kit/raw-peer.ts";
import { startServer, type ServerProcess } from "../../kit/server-process.ts";
import { askedIn, environment, type Asked } from "./claude-stage.ts";

export type Part = "claude" | "plugin" | "other";

interface Found {
  readonly pid: number;
  readonly part: Part;
  /** Its command line. */
  readonly line: string;
}

export interface WholeStage extends AsyncDisposable {
  readonly folder: string;
  readonly home: string;
  readonly model: ModelServer;
  /** Starts the server, again if need be, with the same home. */
  start(): Promise<ServerProcess>;
  /** What Claude Code and what it has started is running. */
  processes(): Promise<Found[]>;
  kill(part: Part): Promise<void>;
  /** Resolves when nothing of it is running. */
  empty(): Promise<void>;
  /** A file in Claude's folder, once it is there. */
  written(name: string): Promise<string>;
  /** Resolves when Claude Code has written this in its own history; it does that when it has time. */
  remembered(words: string): Promise<void>;
  /** Claude Code's own history is gone, as if it had died before it wrote anything. */
  forget(): void;
}

export interface WholeOptions {
  readonly command: string;
  readonly transport: "headless" | "interactive";
  readonly answer: (asked: Asked) => Behavior;
  /** More for the environment of Claude Code. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function openWholeStage(options: WholeOptions): Promise<WholeStage> {
  const { command, transport, answer } = options;
  const folder = mkdtempSync(join(tmpdir(), "atrium-whole-"));
  const home = join(folder, "atrium-home");
  const model = await openModelServer(({ body }) => answer(askedIn(body)));
  const env = environment(folder, model.baseUrl, options.env);
  const runtime = { type: "claude-code", command, cwd: folder, transport };
  const config = { runtimes: { claude: { ...runtime, env: Object.keys(env) } } };
  const configFile = join(folder, "atrium.config.json");
  writeFileSync(configFile, JSON.stringify(config));
  const projects = join(env["CLAUDE_CONFIG_DIR"] ?? folder, "projects");
  const servers: ServerProcess[] = [];
  const processes = async (): Promise<Found[]> => {
    const pids = await markedProcesses([`HOME=${folder}`]);
    return pids
      .filter((pid) => servers.every((server) => server.pid !== pid))
      .map((pid) => ({ pid, ...describe(pid) }));
  };
  return {
    folder,
    home,
    model,
    processes,
    async start() {
      const args = ["--config", configFile, "--agents", "claude"];
      const server = await startServer(home, { args, env });
      servers.push(server);
      return server;
    },
    async kill(part) {
      for (const found of await processes()) {
        if (found.part === part) process.kill(found.pid, "SIGKILL");
      }
    },
    async empty() {
      while ((await processes()).length > 0) await setTimeout(50);
    },
    async written(name) {
      for (;;) {
        try {
          const text = readFileSync(join(folder, name), "utf8");
          if (text !== "") return text;
        } catch {
          // Not yet.
        }
        await setTimeout(50);
      }
    },
    async remembered(words) {
      const isThere = (file: string): boolean => readFileSync(file, "utf8").includes(words);
      while (!historiesIn(projects).some(isThere)) await setTimeout(50);
    },
    forget() {
      for (const file of historiesIn(projects)) rmSync(file);
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.end();
      await model[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function historiesIn(projects: string): string[] {
  if (!existsSync(projects)) return [];
  return readdirSync(projects, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(projects, name));
}

function describe(pid: number): Omit<Found, "pid"> {
  try {
    const [program = "", first = "", ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split(
      "\0",
    );
    const line = [program, first, ...words].join(" ");
    if (program.endsWith("/claude")) return { part: "claude", line };
    return { part: first.endsWith("atrium-plugin.mjs") ? "plugin" : "other", line };
  } catch {
    // Gone meanwhile.
    return { part: "other", line: "" };
  }
}

export async function say(peer: RawPeer, runId: string, message: string): Promise<void> {
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
}

/** How the run ended, in the words of the gateway. */
export async function ended(peer: RawPeer, runId: string): Promise<Frame["payload"]> {
  return peer.ask("agent.wait", { runId, timeoutMs: 120_000 });
}

export async function askedForPermission(
  peer: RawPeer,
  command: string,
): Promise<Frame["payload"]> {
  const { payload } = await peer.first(
    (frame) =>
      frame.event === "exec.approval.requested" && frame.payload.request.command.includes(command),
  );
  return payload;
}

/** The transcript, a line for everything that was said or done. */
export async function transcript(peer: RawPeer): Promise<string[]> {
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  return messages.flatMap(({ role, content }: Frame["payload"]) =>
    content.map(({ type, text, name, fileName }: Frame["payload"]) =>
      [role, type === "text" ? text : (name ?? fileName)].join(": "),
    ),
  );
}
