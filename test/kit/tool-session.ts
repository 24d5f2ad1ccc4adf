/**
 * A session of Claude Code that was started by hand, as far as Atrium sees it: its hooks, and the MCP server of the
 * plugin under a process of its own, as `atrium join` installs them.
 */
import { spawn } from "node:child_process";
import { copyFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PluginProcess } from "./channel-host.ts";
import { openHookedSession, type HookedSession } from "./hooked-session.ts";

const PLUGIN = fileURLToPath(new URL("../../apps/plugin/marketplace/plugin", import.meta.url));
const BUILT = fileURLToPath(new URL("../../apps/plugin/dist/atrium-plugin.mjs", import.meta.url));

export interface ToolSession extends AsyncDisposable {
  readonly hooks: HookedSession;
  readonly mcp: PluginProcess;
  /** What the tool says; an error begins with "Error: ". */
  call(name: string, args?: object): Promise<string>;
  /** Ends the session's process without a word. */
  kill(): void;
}

export interface ToolSessionOptions {
  readonly home: string;
  readonly sessionId?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function openToolSession(options: ToolSessionOptions): Promise<ToolSession> {
  const { home, sessionId = "26f07f03-0193-4ab1-8989-3a62caec5a6b", env = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), "atrium-session-"));
  const plugin = join(folder, "plugin");
  await cp(PLUGIN, plugin, { recursive: true });
  await writeFile(join(plugin, "hooks", "home"), `${home}\n`);
  await copyFile(BUILT, join(plugin, "server", "atrium-plugin.mjs"));
  await writeFile(join(plugin, "server", "node"), `${process.execPath}\n`);
  const start = join(plugin, "server", "start.sh");
  // The shell is the program, and does not become the server itself.
  const child = spawn("sh", ["-c", 'sh "$0"; exit 0', start], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const mcp = new PluginProcess(child);
  await mcp.begin();
  const pid = { CLAUDE_PID: String(child.pid) };
  const hooks = await openHookedSession({ home, sessionId, env: { ...pid, ...env } });
  return {
    hooks,
    mcp,
    async call(name, args = {}) {
      const { content, isError } = await mcp.callTool(name, args);
      const [{ text }] = content as [{ readonly text: string }];
      return isError === true ? `Error: ${text}` : text;
    },
    kill: () => void child.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      mcp.endInput();
      child.kill("SIGKILL");
      await mcp.exited;
      await hooks[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
