/**
 * OpenClaw's own gateway as a process, with a model of ours, or an agent, behind it: what its users have, on a port of its own and
 * with a home that is gone afterwards.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gone, startedWith } from "../../kit/processes.ts";
import type { Needed } from "./peer.ts";

export interface RealGateway extends AsyncDisposable {
  readonly wsUrl: string;
  readonly token: string;
}

/** Where its models are, as its settings say it. */
export interface ModelProvider {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** What OpenClaw may send there. */
  readonly compat?: Readonly<Record<string, boolean>>;
}

const TOKEN = "a-token-of-the-test";
const PROVIDER = "fake";
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** A model of ours, by its address. */
export function fakeModel(baseUrl: string): ModelProvider {
  return { baseUrl, apiKey: "sk-not-a-key", model: "m" };
}

export async function openRealGateway(peer: Needed, from: ModelProvider): Promise<RealGateway> {
  const program = join(peer.path(), "openclaw.mjs");
  const port = await freePort();
  const home = await mkdtemp(join(tmpdir(), "atrium-real-gateway-"));
  const state = join(home, "state");
  for (const folder of [state, join(home, "tmp"), join(home, "workspace")]) {
    await mkdir(folder, { recursive: true });
  }
  await writeFile(join(state, "openclaw.json"), JSON.stringify(settings(home, port, from)));
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
    HOME: home,
    TMPDIR: join(home, "tmp"),
    OPENCLAW_STATE_DIR: state,
    OPENCLAW_NO_AUTO_UPDATE: "1",
    NO_COLOR: "1",
  };
  /** It and everything it has started. */
  const kill = async (): Promise<void> => {
    const pids = startedWith(`OPENCLAW_STATE_DIR=${state}`);
    for (const pid of pids) endAtOnce(pid);
    await gone(pids);
  };
  try {
    const args = [program, "gateway", "run", "--port", String(port)];
    const child = spawn(process.execPath, args, { cwd: home, env, stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`the gateway ended: ${output}`);
      await setTimeout(250);
    }
  } catch (cause) {
    await kill();
    throw cause;
  }
  return {
    wsUrl: `ws://127.0.0.1:${port}`,
    token: TOKEN,
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function settings(
  home: string,
  port: number,
  { baseUrl, apiKey, model: id, compat }: ModelProvider,
): object {
  const model = {
    id,
    name: id,
    ...(compat && { compat }),
    reasoning: false,
    input: ["text"],
    cost: NO_COST,
    contextWindow: 100_000,
    maxTokens: 4_000,
  };
  const provider = {
    baseUrl,
    apiKey,
    api: "openai-completions",
    models: [model],
  };
  return {
    gateway: { mode: "local", port, bind: "loopback", auth: { mode: "token", token: TOKEN } },
    update: { checkOnStart: false },
    models: { mode: "replace", providers: { [PROVIDER]: provider } },
    agents: {
      defaults: {
        model: { primary: `${PROVIDER}/${id}` },
        workspace: join(home, "workspace"),
      },
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return ((await response.json()) as { ready?: boolean }).ready === true;
  } catch {
    // Nothing listens there yet.
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}
