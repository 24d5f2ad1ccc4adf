/**
 * A double of Claude Code's channel side: it starts a plugin and speaks MCP with it as Claude Code does.
 *
 * It follows what Claude Code documents about channels (probing `server/discover`, the legacy handshake,
 * rejecting a message with a value that is no string, dropping names that are no identifiers). It is not
 * Claude Code: that these tests pass does not prove that a real session reacts to a message.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const PLUGIN = fileURLToPath(new URL("../../apps/plugin/dist/atrium-plugin.mjs", import.meta.url));
const IDENTIFIER = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

// Whatever MCP carries; tests look into it without a schema on purpose.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Json = any;

export interface ChannelMessage {
  readonly content: string;
  readonly meta: Readonly<Record<string, string>>;
}

export class ChannelHost {
  /** What a session would have been given. */
  readonly messages: ChannelMessage[] = [];
  /** What it would have been denied, silently. */
  readonly rejected: Json[] = [];
  readonly verdicts: Json[] = [];
  /** Every other notification's method. */
  readonly notices: string[] = [];
  /** Lines that are no JSON-RPC. */
  readonly noise: string[] = [];
  readonly #toPlugin: Writable;
  readonly #answers = new Map<number, (answer: Json) => void>();
  readonly #waiting = new Set<() => void>();
  #nextId = 0;

  constructor(toPlugin: Writable, fromPlugin: Readable) {
    this.#toPlugin = toPlugin;
    toPlugin.on("error", () => undefined);
    createInterface({ input: fromPlugin }).on("line", (line) => {
      this.#receive(line);
      for (const check of this.#waiting) check();
    });
  }

  /** As Claude Code begins: a probe for the newer protocol, then the handshake. */
  async begin(): Promise<{ readonly probe: Json; readonly hello: Json }> {
    const probe = await this.ask("server/discover", {});
    const { result: hello } = await this.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { roots: {} },
      clientInfo: { name: "channel-host", version: "0.0.0-test" },
    });
    this.tell("notifications/initialized");
    return { probe, hello };
  }

  /** The whole answer, with `result` or `error`. */
  async ask(method: string, params: object): Promise<Json> {
    const id = ++this.#nextId;
    const answer = new Promise((resolve) => this.#answers.set(id, resolve));
    this.#write({ id, method, params });
    return answer;
  }

  tell(method: string, params: object = {}): void {
    this.#write({ method, params });
  }

  async callTool(name: string, args: object = {}): Promise<Json> {
    return (await this.ask("tools/call", { name, arguments: args })).result;
  }

  async toolNames(): Promise<string[]> {
    const { result } = await this.ask("tools/list", {});
    return result.tools.map((tool: Json) => tool.name);
  }

  /** Resolves once it holds; looked at whenever something has come. */
  async until(holds: () => boolean): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!holds()) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
    });
  }

  #write(message: object): void {
    this.#toPlugin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #receive(line: string): void {
    let message: Json;
    try {
      message = JSON.parse(line);
    } catch {
      this.noise.push(line);
      return;
    }
    if (message.jsonrpc !== "2.0") this.noise.push(line);
    else if (message.id !== undefined) this.#answers.get(message.id)?.(message);
    else this.#notice(message.method, message.params);
  }

  #notice(method: string, params: Json): void {
    if (method === "notifications/claude/channel") this.#hear(params);
    else if (method === "notifications/claude/channel/permission") this.verdicts.push(params);
    else this.notices.push(method);
  }

  #hear(params: Json): void {
    const { content, meta = {} } = params;
    const isTyped =
      typeof content === "string" &&
      Object.values(meta).every((value) => typeof value === "string");
    if (!isTyped) {
      this.rejected.push(params);
      return;
    }
    const kept = Object.entries(meta as Record<string, string>).filter(([name]) =>
      IDENTIFIER.test(name),
    );
    this.messages.push({ content, meta: Object.fromEntries(kept) });
  }
}

/** The plugin as Claude Code runs it: the built file, under the Node that the machine has. */
export class PluginProcess extends ChannelHost {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly #output: { stderr: string };

  constructor(child: ChildProcess) {
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error("a plugin without pipes");
    super(stdin, stdout);
    this.child = child;
    this.exited = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
    const output = { stderr: "" };
    this.#output = output;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  }

  get stderr(): string {
    return this.#output.stderr;
  }

  endInput(): void {
    this.child.stdin?.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exited;
  }
}

export function launchPlugin(env: Readonly<Record<string, string>>): PluginProcess {
  return new PluginProcess(
    spawn(machineNode(), [PLUGIN], { env: { ...env }, stdio: ["pipe", "pipe", "pipe"] }),
  );
}

/** Launched and past the handshake. */
export async function startPlugin(env: Readonly<Record<string, string>>): Promise<PluginProcess> {
  const plugin = launchPlugin(env);
  await plugin.begin();
  return plugin;
}

/** The first in the path that is not the project's own. */
function machineNode(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = folders
    .filter((folder) => folder !== "" && !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .find((file) => existsSync(file));
  return found ?? process.execPath;
}
